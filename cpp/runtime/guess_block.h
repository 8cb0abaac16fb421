// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/arena.h"
#include "base/plan.h"
#include "formats/weights.h"
#include "runtime/norm.h"
#include "runtime/residual_blocks.h"

namespace fastweights {

class Model;

// The weights of a GuessPlan.
class GuessBlock {
 public:
  // Check weights.error() before using it.
  GuessBlock(const GuessPlan& plan, int dim, int vocab, Weights& weights);

  // Tokens that it guesses among: the first of the vocabulary, which are the
  // most frequent, as byte-pair merges are in the order of their counts.
  int tokens() const { return tokens_; }
  // KV floats that each page of a text's guesses takes.
  uint64_t page_floats() const { return blocks_.page_floats(); }
  size_t thread_scratch_bytes() const { return blocks_.thread_scratch_bytes(); }
  // Of GuessMemory::Guess with passes over so many tokens.
  uint64_t ScratchBytes(int rows) const;

  // Tokens of a text, one after the other, of which each is followed by one
  // that is known.
  struct Rows {
    int count;
    const int* next;      // [count], the tokens that follow them
    const float* hidden;  // [count, dim], behind the norm of hidden_norm
    int position;         // of the first among those read here
    float* const* pages;  // with room for position + count
  };
  // Reads rows; leaves h' of the last one in out [dim], which may be `hidden`.
  void Read(const Rows& rows, Model& model, float* out) const;
  // The likeliest of tokens() after h', of those that are allowed if `allowed`
  // [words of vocab bits] is not null; -1: none of them. Leaves all logits in
  // `logits` [tokens()], if that is not null.
  int Guess(const float* h, const uint32_t* allowed, Model& model,
            float* logits) const;

 private:
  int dim_;
  int tokens_;
  Norm embedding_norm_, hidden_norm_;
  std::unique_ptr<Linear> project_;
  ResidualBlocks blocks_;
  Norm output_norm_;
};

// What a text's guesses remember of it: its last tokens' hidden states, until
// they are read, and the keys and values of kGuessWindow tokens, in pages that
// are used in turn.
class GuessMemory {
 public:
  // False: out of memory.
  bool Reserve(const Model& model);
  static size_t Bytes(const Model& model);

  // A text that is another one from here on.
  void Forget();
  // The next tokens of the text, or as many of the last ones as are held, and
  // the last block's output at each, [count, model_dim]; the text has
  // `position` tokens with them.
  void Add(int count, const int* ids, const float* x, int position);
  // The last `count` tokens were not read after all.
  void TakeBack(int count);

  // Up to `count` guesses of the tokens after `pending`, which follows what was
  // added; `allowed` and `logits` as in GuessBlock, for the first. Returns how
  // many.
  int Guess(Model& model, int pending, int count, const uint32_t* allowed,
            int* guesses, float* logits);

 private:
  // Room for the keys and values of so many tokens.
  void ReachTo(int tokens);

  static constexpr int kPages = 3;  // a window, as many new tokens, and a page

  int dim_ = 0;
  Buffer<float> pages_;  // [kPages, page_floats]
  size_t page_floats_ = 0;
  std::vector<float*> table_;  // pages_ in turn, as the kernels read them
  Buffer<float> hidden_;       // [kGuessWindow, dim], oldest first
  int ids_[kGuessWindow];      // their tokens
  int held_ = 0;               // of those
  int position_ = 0;           // of the text, behind them
  int start_ = 0;              // of the text, where its guesses' memory begins
  int read_ = 0;               // of the text, before which all was read
};

}  // namespace fastweights
