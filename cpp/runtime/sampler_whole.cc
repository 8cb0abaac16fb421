// SPDX-License-Identifier: MIT

// Draws from the whole vocabulary: what top-p and min-p leave is a few of many
// tokens, found without a weight for each that is exact. Wherever a sum that
// is not exact could decide, the exact way does, so that the token is the same.

#include <algorithm>
#include <cmath>
#include <cstring>

#include "kernels/exp.h"
#include "kernels/simd.h"
#include "runtime/sampler.h"

namespace fastweights {
namespace {

constexpr int kBlock = 64;
// What a sum of Total is off at most, as a part of it: Exp by 2.4e-7, sixteen
// additions of floats by 9.6e-7, what is passed over by 1.4e-6 of a vocabulary
// of 262 144.
constexpr double kOff = 4e-6;
// Weights below e to this are passed over.
constexpr float kNegligible = -26.0f;

// What is no number is passed over.
float Largest(int count, const float* x) {
  F32x4 best[4];
  for (F32x4& lanes : best) lanes = Splat(-INFINITY);
  int i = 0;
  for (; i + 16 <= count; i += 16) {
    for (int j = 0; j < 4; ++j) best[j] = Max(best[j], Load(x + i + 4 * j));
  }
  float lanes[4];
  Store(lanes, Max(Max(best[0], best[1]), Max(best[2], best[3])));
  float largest = *std::max_element(lanes, lanes + 4);
  for (; i < count; ++i) largest = x[i] > largest ? x[i] : largest;
  return largest;
}

// Sums of weights exp((x - best) / temperature), block by block.
class Weights {
 public:
  Weights(int count, const float* x, float best, float temperature)
      : count_(count), x_(x), best_(best), temperature_(temperature) {}

  int blocks() const { return (count_ + kBlock - 1) / kBlock; }
  double OfBlock(int block) const {
    const float* x = x_ + block * kBlock;
    const int count = std::min(kBlock, count_ - block * kBlock);
    if ((Largest(count, x) - best_) / temperature_ < kNegligible) return 0;
    F32x4 sum = Splat(0.0f);
    int i = 0;
    for (; i + 4 <= count; i += 4) sum = Add(sum, Lanes(Load(x + i)));
    float last[4] = {};
    for (int j = i; j < i + 4; ++j) last[j - i] = j < count ? x[j] : -INFINITY;
    return i == count ? Sum(sum) : Sum(Add(sum, Lanes(Load(last))));
  }
  double Total() const {
    double total = 0;
    for (int block = 0; block < blocks(); ++block) total += OfBlock(block);
    return total;
  }
  // The token where the sum of weights passes `target`; -1: it may be another,
  // as the sum may be off by so much.
  int Find(double target, double off) const {
    double sum = 0;
    for (int block = 0; block < blocks(); ++block) {
      const double more = OfBlock(block);
      if (sum + more < target - off) {
        sum += more;
        continue;
      }
      const int end = std::min(count_, (block + 1) * kBlock);
      for (int i = block * kBlock; i < end; ++i) {
        const double next = sum + std::exp((x_[i] - best_) / temperature_);
        if (target > sum + off && target < next - off) return i;
        if (target < next + off) return -1;
        sum = next;
      }
    }
    return -1;
  }

 private:
  F32x4 Lanes(F32x4 x) const {
    return exp_(Div(Sub(x, Splat(best_)), Splat(temperature_)));
  }

  int count_;
  const float* x_;
  float best_, temperature_;
  Exp exp_;
};

}  // namespace

// The logits of the tokens that may be drawn, -infinity in the place of others.
// Null: so few may that they are better looked at one by one.
const float* Sampler::Allowed(const float* logits) {
  if (restricted_) {
    const int words = (vocab_ + 31) / 32;
    int count = 0;
    for (int i = 0; i < words; ++i) count += __builtin_popcount(allowed_[i]);
    if (count < vocab_ / 8) return nullptr;
    if (logits != adjusted_.get()) {
      std::memcpy(adjusted_.get(), logits, sizeof(float) * vocab_);
    }
    for (int i = 0; i < words; ++i) {
      for (uint32_t left = ~allowed_[i]; left != 0; left &= left - 1) {
        const int token = 32 * i + __builtin_ctz(left);
        if (token < vocab_) adjusted_[token] = -INFINITY;
      }
    }
    logits = adjusted_.get();
  }
  // One alone is taken without a draw.
  int found = 0;
  for (int i = 0; i < vocab_ && found < 2; ++i) found += logits[i] > -INFINITY;
  return found == 2 ? logits : nullptr;
}

// Those of a weight of e^-depth and more, in their order; not weighed.
int Sampler::CollectDown(const float* logits, float best, double depth) {
  // A thousandth further down: weights say which of them are meant.
  const double down = (depth + 1e-3) * options_.temperature;
  const auto least =
      static_cast<float>(best - down - 1e-6 * (std::abs(best) + down));
  Candidate* kept = candidates_.get();
  int count = 0;
  for (int start = 0; start < vocab_; start += kBlock) {
    const int end = std::min(start + kBlock, vocab_);
    if (Largest(end - start, logits + start) < least) continue;
    for (int token = start; token < end; ++token) {
      if (logits[token] >= least && logits[token] > -INFINITY) {
        kept[count++] = {logits[token], token};
      }
    }
  }
  return count;
}

int Sampler::SampleWhole(const float* logits) {
  const float best = Largest(vocab_, logits);
  if (!(std::abs(best) < INFINITY)) return kUndecided;
  if (options_.top_p >= 1.0f && options_.min_p > 0.0f) {
    const int count = CollectDown(logits, best, -std::log(options_.min_p));
    Weigh(count, best);
    return Draw(AtLeastMinP(count));
  }
  const Weights weights(vocab_, logits, best, options_.temperature);
  const double total = weights.Total();
  // A vocabulary with what is no number in it has no total.
  if (!(total >= 0.5)) return kUndecided;
  if (options_.top_p >= 1.0f) {
    const uint64_t before = random_;
    const int token = weights.Find(Uniform() * total, 2 * kOff * total);
    if (token < 0) random_ = before;
    return token < 0 ? kUndecided : token;
  }
  // As far down as it takes: most of what a model says is within e^-4.
  const double target = options_.top_p * total, off = kOff * total;
  for (double depth = 4; depth <= 16; depth *= 2) {
    const int count = CollectDown(logits, best, depth);
    if (count > vocab_ / 8) return kUndecided;
    Weigh(count, best);
    double sum = 0;
    for (int i = 0; i < count; ++i) sum += candidates_[i].logit;
    if (sum < target + off) continue;
    const int taken = Nucleus(count, target, off);
    if (taken == 0) return kUndecided;
    // None that was left out could come before it.
    if (candidates_[taken - 1].logit > std::exp(-depth)) {
      return Draw(AtLeastMinP(taken));
    }
  }
  return kUndecided;
}

}  // namespace fastweights
