// SPDX-License-Identifier: MIT

// Session's guesses: several tokens read in one pass, and those that were wrong
// taken back.

#include <algorithm>

#include "base/check.h"
#include "runtime/session.h"

namespace fastweights {

bool Session::ReserveKept() {
  if (!kept_) kept_ = MakeBuffer<float>(model_->state_floats());
  return kept_ != nullptr;
}

bool Session::CopyKept(const Session& other) {
  if (!ReserveKept()) return false;
  std::copy_n(other.kept_.get(), model_->state_floats(), kept_.get());
  kept_position_ = other.kept_position_;
  kept_tokens_ = other.kept_tokens_;
  return true;
}

void Session::CopyChanged(const float* from, float* to) const {
  for (const Block& block : model_->blocks()) {
    for (const PlacedMixer& placed : block.mixers) {
      placed.mixer->CopyChanged(kept_position_, kept_tokens_,
                                from + placed.state_offset,
                                to + placed.state_offset);
    }
  }
}

void Session::Keep(int tokens) {
  kept_position_ = position_;
  kept_tokens_ = tokens;
  CopyChanged(state_.get(), kept_.get());
}

void Session::Return() {
  CopyChanged(kept_.get(), state_.get());
  position_ = kept_position_;
  pending_ = -1;
  has_logits_ = false;
  is_traced_ = false;
  EndTrail();
  DropPages();
}

bool Session::ReserveGuesses() {
  if (!model_->can_read_again()) return false;
  if (!undo_) {
    undo_ = MakeBuffer<float>((kMostGuesses + 1) * model_->undo_floats());
  }
  if (!hidden_) {
    hidden_ = MakeBuffer<float>((kMostGuesses + 1) *
                                static_cast<size_t>(model_->model_dim()));
  }
  return undo_ && hidden_ && ReserveKept();
}

bool Session::ReadGuesses(const int* guesses, int count, uint32_t decided) {
  Model& model = *model_;
  const ProfilePass pass(model.workspace().profile(), Profile::Phase::kDecode);
  const int rows = count + 1;
  DCHECK(pending_ >= 0 && undo_ && count >= 1 && count <= kMostGuesses);
  DCHECK(rows <= model.logit_rows());
  if (!ReservePages(rows)) return false;
  Keep(rows);
  guessed_.ids[0] = pending_;
  std::copy_n(guesses, count, guessed_.ids + 1);
  guessed_.rows = rows;
  guessed_.drawn = 0;
  Arena& arena = model.workspace().arena();
  const ArenaScope scope(arena);
  // Behind the last guess nothing is decided.
  decided &= (1u << count) - 1;
  const Part part = {.session = this,
                     .ids = guessed_.ids,
                     .count = rows,
                     .undo = undo_.get(),
                     .hidden = hidden_.get(),
                     .wanted = rows};
  const ChosenWays chosen(model.pass_choices(), rows, model.workspace());
  float* hidden = Forward(model, {&part, 1});
  const size_t dim = model.model_dim(), vocab = model.vocab();
  int wanted = 0;
  for (int row = 0; row < rows; ++row) {
    if (decided >> row & 1) continue;
    std::copy_n(hidden + row * dim, dim, hidden + wanted++ * dim);
  }
  float* logits = arena.Take<float>(wanted * vocab);
  model.Head(wanted, hidden, logits);
  for (int row = 0; row < rows; ++row) {
    const bool is_decided = decided >> row & 1;
    guessed_.logits[row] = is_decided ? nullptr : logits;
    if (!is_decided) logits += vocab;
  }
  has_logits_ = true;
  return true;
}

int Session::DrawGuess() {
  const ProfilePass pass(model_->workspace().profile(),
                         Profile::Phase::kDecode);
  const ProfileScope scope(model_->workspace().profile(), {"sampler"});
  const int row = guessed_.drawn++;
  DCHECK(row < guessed_.rows);
  if (row > 0) sampler_.Accept(guessed_.ids[row]);
  const float* logits = guessed_.logits[row];
  // The one token that is left is taken without a draw.
  if (logits == nullptr) return pending_ = guessed_.ids[row + 1];
  std::copy_n(logits, model_->vocab(), logits_.get());
  return Draw();
}

void Session::EndGuesses() {
  const int left = guessed_.rows - guessed_.drawn, last = guessed_.drawn - 1;
  DCHECK(guessed_.drawn >= 1);
  LeaveGuesses();
  if (left == 0) return;
  const ProfilePass pass(model_->workspace().profile(),
                         Profile::Phase::kDecode);
  if (guessed_.logits[last] == nullptr) {
    model_->Head(1, hidden_.get() + last * model_->model_dim(), logits_.get());
  }
  position_ = kept_position_;
  CopyChanged(kept_.get(), state_.get());
  ReadAgain({this, guessed_.ids, guessed_.drawn, undo_.get()});
  position_ += guessed_.drawn;
  guess_memory_.TakeBack(left);
  DropPages();
}

int Session::Guess(int count, const uint32_t* allowed, int* guesses,
                   float* logits) {
  DCHECK(count >= 1 && count <= kMostGuesses);
  if (!model_->guess_block() || pending_ < 0) return 0;
  const ProfilePass pass(model_->workspace().profile(),
                         Profile::Phase::kDecode);
  return guess_memory_.Guess(*model_, pending_, count, allowed, guesses,
                             logits);
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
