// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/arena.h"

namespace fastweights {

// How the next token is drawn. The order is: logit bias, penalties, then
// temperature, top-k, top-p, min-p, then the draw.
struct SamplerOptions {
  float temperature = 1.0f;  // 0: the most likely token
  int top_k = 0;             // keep the k most likely; 0: all
  float top_p = 1.0f;  // keep the fewest whose probabilities reach p; 1: all
                       // (Holtzman et al., 2020)
  float min_p = 0.0f;  // keep those of at least min_p times the most likely
                       // one's probability (Nguyen et al., 2024)
  // Over the last `penalty_window` tokens of the text:
  float repetition_penalty = 1.0f;  // divides a positive logit, multiplies a
                                    // negative one (Keskar et al., CTRL, 2019)
  float frequency_penalty = 0.0f;   // subtracted once per occurrence
  float presence_penalty = 0.0f;    // subtracted if it occurs
  int penalty_window = 64;

  bool penalises() const {
    return penalty_window > 0 &&
           (repetition_penalty != 1.0f || frequency_penalty != 0.0f ||
            presence_penalty != 0.0f);
  }
};

// In the place of a token, why there is none: no memory to read the one before;
// nothing to draw from; logits that are NaN or infinite; bias and a restriction
// that forbid every token.
enum NoToken {
  kNoMemory = -1,
  kNoLogits = -2,
  kNotFinite = -3,
  kForbidden = -4
};

// Draws tokens from logits. All memory is reserved up front; a draw allocates
// nothing.
class Sampler {
 public:
  // False: out of memory.
  bool Reserve(int vocab);
  bool CopyFrom(const Sampler& other);
  // Memory that Reserve takes.
  static size_t Bytes(int vocab) {
    return static_cast<size_t>(vocab) *
               (sizeof(float) + sizeof(Candidate) + sizeof(uint16_t)) +
           kHistory * sizeof(int);
  }

  // Every token may be drawn from here on.
  void Configure(const SamplerOptions& options) {
    options_ = options;
    restricted_ = false;
  }
  // Restricts draws until the next Configure: only tokens whose bit is set, 32
  // to a word, lowest first. The caller writes the words before each draw; they
  // begin as zeros. Null: out of memory.
  uint32_t* Restrict();
  void Seed(uint64_t seed) { random_ = seed; }
  void ClearBias() { bias_.clear(); }
  // Adds `value` to a token's logit; -infinity forbids it.
  void AddBias(int token, float value) { bias_.emplace_back(token, value); }

  // Tells the penalties what stands in the text.
  void Accept(int token);
  void Forget() { history_length_ = 0; }
  // The last tokens of the text that penalties can look at, oldest first, into
  // tokens [kHistory]; how many.
  int History(int* tokens) const;
  void SetHistory(int count, const int* tokens);
  static constexpr int kHistory = 4096;

  // What the next draw is made from: Seed() of it draws the same again.
  uint64_t generator() const { return random_; }

  // From logits [vocab], which are finite. What a restriction forbids is not
  // drawn, whatever bias and penalties leave: where they leave nothing of what
  // it allows, they do not count. kForbidden: nothing is allowed.
  int Sample(const float* logits);

 private:
  struct Candidate {
    float logit;
    int token;
  };

  // Most likely first; among equals the lower token, so that a draw does not
  // depend on the order in which candidates are kept.
  static bool Before(const Candidate& a, const Candidate& b) {
    return a.logit > b.logit || (a.logit == b.logit && a.token < b.token);
  }

  const float* Adjusted(const float* logits);
  void Penalise();
  int Collect(const float* logits);
  int NextAllowed(int token) const;
  int BestAllowed(const float* logits) const;
  void Weigh(int count, float best);
  // Moves the fewest candidates whose weights reach `target` to the front, best
  // first; returns how many. 0: the sum came as near to it as `off`.
  int Nucleus(int count, double target, double off);
  // Leaves those that min_p does; returns how many.
  int AtLeastMinP(int count);
  int Draw(int count);

  // Without top_k, from logits that may all be drawn: the same token, or
  // kUndecided where only weights of all tokens can tell, and nothing is drawn.
  int SampleWhole(const float* logits);
  static constexpr int kUndecided = -5;
  const float* Allowed(const float* logits);
  int CollectDown(const float* logits, float best, double depth);
  double Uniform();

  SamplerOptions options_;
  std::vector<std::pair<int, float>> bias_;
  uint64_t random_ = 0;
  int vocab_ = 0;
  Buffer<float> adjusted_;        // [vocab]
  Buffer<Candidate> candidates_;  // [vocab]
  Buffer<uint32_t> allowed_;      // [vocab / 32], made when asked for
  bool restricted_ = false;
  Buffer<uint16_t> occurrences_;  // [vocab], zero between draws
  Buffer<int> history_;           // [kHistory], the last tokens, a ring
  int64_t history_length_ = 0;
};

}  // namespace fastweights
