// SPDX-License-Identifier: MIT
#include "runtime/guess_block.h"

#include <algorithm>

#include "base/check.h"
#include "runtime/model.h"

namespace fastweights {
namespace {

// Tokens that the head of guesses is over, the first of a vocabulary: in the
// order of a tokenizer's merges the most frequent ones. More take longer than
// the guesses that they add are worth: of 248 320 tokens these are 13 %, and
// what the embedded model tells has none of the upper half of its 8192.
constexpr int kMostTokens = 32768;
constexpr int kFewTokens = 4096;  // that are not worth being divided

int GuessedTokens(int vocab) {
  return std::min(vocab, std::clamp(vocab / 2, kFewTokens, kMostTokens));
}

}  // namespace

GuessBlock::GuessBlock(const GuessPlan& plan, int dim, int vocab,
                       Weights& weights)
    : dim_(dim),
      tokens_(GuessedTokens(vocab)),
      embedding_norm_(plan.embedding_norm, dim, weights),
      hidden_norm_(plan.hidden_norm, dim, weights),
      project_(weights.Matrix(plan.project, dim, 2 * dim)),
      blocks_(dim),
      output_norm_(plan.output_norm, dim, weights) {
  for (const BlockPlan& block : plan.blocks) blocks_.Add(block, weights);
}

uint64_t GuessBlock::ScratchBytes(int rows) const {
  const auto floats = [&](uint64_t each) -> uint64_t {
    return sizeof(float) * each * rows + kAlignment;
  };
  const uint64_t pair = 2 * static_cast<uint64_t>(dim_);
  // Hidden states, and what becomes of them.
  return 2 * floats(dim_) +
         std::max<uint64_t>(
             {floats(pair) + ProductInput::ScratchBytes(rows, 2 * dim_),
              blocks_.ScratchBytes(rows),
              FloatBytes(1, tokens_) + ProductInput::ScratchBytes(1, dim_)});
}

void GuessBlock::Read(const Rows& rows, Model& model, float* out) const {
  Workspace& workspace = model.workspace();
  const ProfileScope scope(workspace.profile(), {"guesses"});
  Arena& arena = workspace.arena();
  const ArenaScope all(arena);
  const size_t dim = dim_;
  float* x = arena.Take<float>(rows.count * dim);
  {
    const ArenaScope projecting(arena);
    float* pairs = arena.Take<float>(rows.count * 2 * dim);
    for (int i = 0; i < rows.count; ++i) {
      float* pair = pairs + i * 2 * dim;
      model.Embed(rows.next[i], pair);
      embedding_norm_.Apply(1, pair, pair);
      hidden_norm_.Apply(1, rows.hidden + i * dim, pair + dim);
    }
    ProductInput input(rows.count, 2 * dim_, pairs, workspace);
    project_->Multiply(input, x, dim_);
  }
  blocks_.Run(
      rows.count, 1,
      [&](const PlacedMixer& placed, Stretch* stretch) {
        *stretch = {
            .tokens = rows.count,
            .position = rows.position,
            .wanted = 1,
            .state = {
                .constant = nullptr,
                .cache = {.pages = rows.pages,
                          .offset = static_cast<int>(placed.page_offset)}}};
      },
      workspace, x);
  output_norm_.Apply(1, x, out);
}

int GuessBlock::Guess(const float* h, const uint32_t* allowed, Model& model,
                      float* logits) const {
  const ProfileScope scope(model.workspace().profile(), {"guesses"});
  Arena& arena = model.workspace().arena();
  const ArenaScope all(arena);
  if (logits == nullptr) logits = arena.Take<float>(tokens_);
  model.HeadProduct(tokens_, 1, h, logits);
  if (allowed == nullptr) {
    return static_cast<int>(std::max_element(logits, logits + tokens_) -
                            logits);
  }
  int best = -1;
  for (int token = 0; token < tokens_; ++token) {
    if ((allowed[token / 32] >> token % 32 & 1) == 0) continue;
    if (best < 0 || logits[token] > logits[best]) best = token;
  }
  return best;
}

bool GuessMemory::Reserve(const Model& model) {
  dim_ = model.model_dim();
  page_floats_ = model.guess_block()->page_floats();
  pages_ = MakeBuffer<float>(kPages * page_floats_);
  hidden_ = MakeBuffer<float>(static_cast<size_t>(kGuessWindow) * dim_);
  return pages_ && hidden_;
}

size_t GuessMemory::Bytes(const Model& model) {
  return sizeof(float) *
         (kPages * model.guess_block()->page_floats() +
          static_cast<size_t>(kGuessWindow) * model.model_dim());
}

void GuessMemory::Forget() {
  held_ = 0;
  read_ = -1;
}

void GuessMemory::Add(int count, const int* ids, const float* x, int position) {
  const size_t dim = dim_;
  const int fresh = std::min(count, kGuessWindow);
  int kept = held_;
  if (kept + fresh > kGuessWindow) {
    // Half of them at once, so that a token moves each once at most.
    kept = std::min(kGuessWindow - fresh, kGuessWindow / 2);
    std::copy_n(hidden_.get() + (held_ - kept) * dim, kept * dim,
                hidden_.get());
    std::copy_n(ids_ + held_ - kept, kept, ids_);
  }
  std::copy_n(x + (count - fresh) * dim, fresh * dim,
              hidden_.get() + kept * dim);
  std::copy_n(ids + count - fresh, fresh, ids_ + kept);
  held_ = kept + fresh;
  position_ = position;
}

void GuessMemory::TakeBack(int count) {
  held_ = std::max(held_ - count, 0);
  position_ -= count;
}

void GuessMemory::ReachTo(int tokens) {
  for (int page = static_cast<int>(table_.size()); page < KvPageCount(tokens);
       ++page) {
    table_.push_back(pages_.get() + page % kPages * page_floats_);
  }
}

int GuessMemory::Guess(Model& model, int pending, int count,
                       const uint32_t* allowed, int* guesses, float* logits) {
  if (held_ == 0) return 0;
  const GuessBlock& block = *model.guess_block();
  const size_t dim = dim_;
  const int oldest = position_ - held_;
  if (read_ < oldest || read_ > position_) {
    start_ = read_ = oldest;
    table_.clear();
  }
  Arena& arena = model.workspace().arena();
  const ArenaScope scope(arena);
  const int most = std::min(kGuessWindow, model.batch_tokens());
  float* hidden = arena.Take<float>(most * dim);
  int next[kGuessWindow];
  // Guesses asked for again read the last token again.
  int first = std::min(read_, position_ - 1);
  ReachTo(position_ - start_ + count);
  while (first < position_) {
    const int rows = std::min(most, position_ - first), at = first - oldest;
    model.output_norm().Apply(rows, hidden_.get() + at * dim, hidden);
    for (int i = 0; i < rows; ++i) {
      next[i] = at + i + 1 < held_ ? ids_[at + i + 1] : pending;
    }
    block.Read({rows, next, hidden, first - start_, table_.data()}, model,
               hidden);
    first += rows;
  }
  read_ = position_;
  for (int i = 0;; ++i) {
    const bool is_first = i == 0;
    guesses[i] = block.Guess(hidden, is_first ? allowed : nullptr, model,
                             is_first ? logits : nullptr);
    if (guesses[i] < 0) return i;
    if (i + 1 == count) return count;
    block.Read({1, guesses + i, hidden, position_ + i - start_, table_.data()},
               model, hidden);
  }
}

}  // namespace fastweights
