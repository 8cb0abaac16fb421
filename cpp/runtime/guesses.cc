// SPDX-License-Identifier: MIT

// Session's guesses: several tokens read in one pass, and those that were wrong
// taken back.

#include <algorithm>

#include "base/check.h"
#include "runtime/session.h"

namespace fastweights {

bool Session::ReserveGuesses() {
  if (!model_->can_read_again()) return false;
  if (before_ && undo_) return true;
  before_ = MakeBuffer<float>(model_->state_floats());
  undo_ = MakeBuffer<float>((kMostGuesses + 1) * model_->undo_floats());
  if (before_ && undo_) return true;
  before_ = nullptr;
  undo_ = nullptr;
  return false;
}

int Session::NextGuessed(const int* guesses, int count, const uint32_t* allowed,
                         int* tokens) {
  Model& model = *model_;
  const ProfilePass pass(model.workspace().profile(), Profile::Phase::kDecode);
  const int start = position_, rows = count + 1;
  DCHECK(pending_ >= 0 && before_ && count >= 1 && count <= kMostGuesses);
  DCHECK(rows <= model.logit_rows());
  if (!ReservePages(rows)) {
    tokens[0] = kNoMemory;
    return 1;
  }
  std::copy_n(state_.get(), model.state_floats(), before_.get());
  int ids[kMostGuesses + 1] = {pending_};
  std::copy_n(guesses, count, ids + 1);
  Part part = {this, ids, rows, undo_.get()};
  const int drawn = DrawGuessed(part, allowed, tokens);
  if (drawn < rows) {
    position_ = start;
    std::copy_n(before_.get(), model.state_floats(), state_.get());
    part.count = drawn;
    ReadAgain(part);
    position_ = start + drawn;
    guess_memory_.TakeBack(rows - drawn);
    DropPages();
  }
  return drawn;
}

int Session::Guess(int count, const uint32_t* allowed, int* guesses) {
  DCHECK(count >= 1 && count <= kMostGuesses);
  if (!model_->guess_block() || pending_ < 0) return 0;
  const ProfilePass pass(model_->workspace().profile(),
                         Profile::Phase::kDecode);
  return guess_memory_.Guess(*model_, pending_, count, allowed, guesses);
}

int Session::DrawGuessed(const Part& part, const uint32_t* allowed,
                         int* tokens) {
  Model& model = *model_;
  const size_t vocab = model.vocab(), words = (vocab + 31) / 32;
  const int* guesses = part.ids + 1;
  Arena& arena = model.workspace().arena();
  const ArenaScope scope(arena);
  float* hidden = Forward(model, {&part, 1});
  float* logits = arena.Take<float>(part.count * vocab);
  model.Head(part.count, hidden, logits);
  has_logits_ = true;
  const ProfileScope profiled(model.workspace().profile(), {"sampler"});
  for (int drawn = 0;; ++drawn) {
    if (drawn > 0) sampler_.Accept(guesses[drawn - 1]);
    std::copy_n(logits + drawn * vocab, vocab, logits_.get());
    if (allowed != nullptr) {
      std::copy_n(allowed + drawn * words, words, sampler_.Restrict());
    }
    tokens[drawn] = Draw();
    if (drawn + 1 == part.count || tokens[drawn] != guesses[drawn]) {
      return drawn + 1;
    }
  }
}

void Session::ReadAgain(const Part& part) {
  const ProfileScope scope(model_->workspace().profile(), {"taking back"});
  for (const Block& block : model_->blocks()) {
    for (const PlacedMixer& placed : block.mixers) {
      placed.mixer->ReadAgain(StretchOf(placed, part), model_->workspace());
    }
  }
}

}  // namespace fastweights
