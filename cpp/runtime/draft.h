// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>

#include "runtime/session.h"

namespace fastweights {

// A small model's text beside another model's of the same vocabulary: it reads
// what that one says, and guesses how it goes on (Leviathan et al., Fast
// Inference from Transformers via Speculative Decoding, 2023).
class Draft {
 public:
  // It guesses among the first `tokens` of the vocabulary. Null: out of memory.
  static std::unique_ptr<Draft> Make(std::shared_ptr<Model> model, int tokens);
  // Null: out of memory.
  std::unique_ptr<Draft> Clone() const;

  // Tokens of the text that it has read.
  int position() const { return session_->position() - ahead_; }
  // Reads the next tokens of the text, ids [count], 1 to batch_tokens(), of
  // which the first may be its guesses. False: out of memory for KV pages.
  bool Read(const int* ids, int count) { return Follow(ids, count, false); }
  // Reads them, and then guesses the tokens after them: each the likeliest
  // after those before it. Into guesses [most]; returns how many, 1 <= most <=
  // kMostGuesses. It guesses no further where the probability that all are
  // right, by its own measure, is below `least`; -1: out of memory.
  //   allowed  [words of vocab bits], what the first one may be; null: anything
  int Guess(const int* ids, int count, int most, float least,
            const uint32_t* allowed, int* guesses);

  // A place to come back to; after Read alone. Null: out of memory.
  std::unique_ptr<Checkpoint> Mark() const { return session_->Mark(false); }
  void Rewind(const Checkpoint& place);
  void Reset();

  size_t kv_bytes() const { return session_->kv_bytes(); }
  // The part that does not grow.
  static size_t StateBytes(const Model& model);

 private:
  explicit Draft(int tokens) : tokens_(tokens) {}
  bool Follow(const int* ids, int count, bool want_logits);
  // The likeliest that is allowed, and its share of what is; -1: none is.
  int Likeliest(const uint32_t* allowed, float* probability) const;

  std::unique_ptr<Session> session_;
  int tokens_;
  int guessed_[kMostGuesses];
  int ahead_ = 0;  // how many of those it has read
};

}  // namespace fastweights
