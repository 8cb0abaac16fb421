// SPDX-License-Identifier: MIT
#include "runtime/sampler.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/check.h"
#include "kernels/simd.h"

namespace fastweights {
namespace {

constexpr int kBlock = 64;

// Whether one of kBlock logits is above `worst`; those that are not numbers
// are not.
bool AnyAbove(const float* logits, float worst) {
  F32x4 best[4];
  for (F32x4& x : best) x = Splat(worst);
  for (int i = 0; i < kBlock; i += 16) {
    for (int j = 0; j < 4; ++j) {
      best[j] = Max(best[j], Load(logits + i + 4 * j));
    }
  }
  float lanes[4];
  Store(lanes, Max(Max(best[0], best[1]), Max(best[2], best[3])));
  return *std::max_element(lanes, lanes + 4) > worst;
}

}  // namespace

bool Sampler::Reserve(int vocab) {
  vocab_ = vocab;
  adjusted_ = MakeBuffer<float>(vocab);
  candidates_ = MakeBuffer<Candidate>(vocab);
  occurrences_ = MakeBuffer<uint16_t>(vocab);
  history_ = MakeBuffer<int>(kHistory);
  if (!adjusted_ || !candidates_ || !occurrences_ || !history_) return false;
  std::fill_n(occurrences_.get(), vocab, uint16_t{0});
  return true;
}

bool Sampler::CopyFrom(const Sampler& other) {
  if (!Reserve(other.vocab_)) return false;
  options_ = other.options_;
  bias_ = other.bias_;
  random_ = other.random_;
  history_length_ = other.history_length_;
  std::copy_n(other.history_.get(),
              std::min<int64_t>(kHistory, history_length_), history_.get());
  return true;
}

uint32_t* Sampler::Restrict() {
  const int words = (vocab_ + 31) / 32;
  if (!allowed_) allowed_ = MakeBuffer<uint32_t>(words);
  if (!allowed_) return nullptr;
  std::fill_n(allowed_.get(), words, uint32_t{0});
  restricted_ = true;
  return allowed_.get();
}

// The first token from `token` on that may be drawn; at least vocab_ when there
// is none.
inline int Sampler::NextAllowed(int token) const {
  if (!restricted_) return token;
  while (token < vocab_) {
    const uint32_t bits = allowed_[token / 32] >> (token % 32);
    if (bits != 0) return token + __builtin_ctz(bits);
    token = (token | 31) + 1;
  }
  return token;
}

// What to draw where bias forbids all that a restriction allows: the
// restriction is the one that holds.
int Sampler::BestAllowed(const float* logits) const {
  int best = kForbidden;
  for (int token = NextAllowed(0); token < vocab_;
       token = NextAllowed(token + 1)) {
    if (best < 0 || logits[token] > logits[best]) best = token;
  }
  return best;
}

void Sampler::Accept(int token) {
  history_[history_length_++ % kHistory] = token;
}

int Sampler::History(int* tokens) const {
  const auto count =
      static_cast<int>(std::min<int64_t>(kHistory, history_length_));
  for (int i = 0; i < count; ++i) {
    tokens[i] = history_[(history_length_ - count + i) % kHistory];
  }
  return count;
}

void Sampler::SetHistory(int count, const int* tokens) {
  history_length_ = 0;
  for (int i = 0; i < count; ++i) Accept(tokens[i]);
}

// splitmix64 (Steele, Lea & Flood, 2014): one word of state, which makes it
// cheap to keep with a session.
double Sampler::Uniform() {
  random_ += 0x9e3779b97f4a7c15u;
  uint64_t z = random_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

void Sampler::Penalise() {
  const int window = static_cast<int>(
      std::min<int64_t>({options_.penalty_window, kHistory, history_length_}));
  const auto recent = [&](int age) {
    return history_[(history_length_ - 1 - age) % kHistory];
  };
  for (int age = 0; age < window; ++age) ++occurrences_[recent(age)];
  for (int age = 0; age < window; ++age) {
    const int token = recent(age);
    const int count = occurrences_[token];
    if (count == 0) continue;  // met before at a lower age
    occurrences_[token] = 0;
    float& logit = adjusted_[token];
    logit = logit > 0 ? logit / options_.repetition_penalty
                      : logit * options_.repetition_penalty;
    logit -= static_cast<float>(count) * options_.frequency_penalty +
             options_.presence_penalty;
  }
}

// The logits with bias and penalties; the given ones where there are none.
const float* Sampler::Adjusted(const float* logits) {
  if (bias_.empty() && !options_.penalises()) return logits;
  std::memcpy(adjusted_.get(), logits, sizeof(float) * vocab_);
  for (const auto& [token, value] : bias_) adjusted_[token] += value;
  if (options_.penalises()) Penalise();
  return adjusted_.get();
}

// Fills candidates_ with the top_k best, or all; returns how many.
int Sampler::Collect(const float* logits) {
  const int limit = options_.temperature == 0 ? 1
                    : options_.top_k > 0      ? std::min(options_.top_k, vocab_)
                                              : vocab_;
  Candidate* kept = candidates_.get();
  int count = 0;
  for (int token = NextAllowed(0); token < vocab_;
       token = NextAllowed(token + 1)) {
    // Nearly all of a large vocabulary is passed over here. Of equals the
    // earlier token stays, so only what is above counts.
    while (count == limit && token + kBlock <= vocab_ &&
           !AnyAbove(logits + token, kept[0].logit)) {
      token = NextAllowed(token + kBlock);
    }
    if (token >= vocab_) break;
    const Candidate candidate = {logits[token], token};
    if (!(candidate.logit > -INFINITY)) continue;  // forbidden, or NaN
    if (count < limit) {
      kept[count++] = candidate;
      // With a limit the worst of the kept ones is at the top of a heap.
      if (limit < vocab_) std::push_heap(kept, kept + count, Before);
    } else if (Before(candidate, kept[0])) {
      std::pop_heap(kept, kept + count, Before);
      kept[count - 1] = candidate;
      std::push_heap(kept, kept + count, Before);
    }
  }
  return count;
}

// From logits to weights, the best candidate's being 1.
void Sampler::Weigh(int count, float best) {
  Candidate* kept = candidates_.get();
  for (int i = 0; i < count; ++i) {
    // Not by subtraction for the best: it may be infinite.
    kept[i].logit =
        kept[i].logit == best
            ? 1.0f
            : std::exp((kept[i].logit - best) / options_.temperature);
  }
}

int Sampler::Nucleus(int count, double target, double off) {
  Candidate* kept = candidates_.get();
  const auto after = [](const Candidate& a, const Candidate& b) {
    return Before(b, a);
  };
  // A heap gives up its best one by one: the nucleus is small beside the
  // vocabulary, so sorting everything would be most of the work.
  std::make_heap(kept, kept + count, after);
  double reached = 0;
  int taken = 0;
  // At least one, even where top_p is zero as a float.
  do {
    std::pop_heap(kept, kept + (count - taken), after);
    reached += kept[count - ++taken].logit;
    if (off > 0 && std::abs(reached - target) <= off) return 0;
  } while (taken < count && reached < target);
  std::reverse(kept, kept + count);
  return taken;
}

int Sampler::AtLeastMinP(int count) {
  if (options_.min_p <= 0.0f) return count;
  Candidate* kept = candidates_.get();
  const auto is_less = [&](const Candidate& candidate) {
    return candidate.logit < options_.min_p;
  };
  return static_cast<int>(std::remove_if(kept, kept + count, is_less) - kept);
}

int Sampler::Draw(int count) {
  const Candidate* kept = candidates_.get();
  double total = 0;
  for (int i = 0; i < count; ++i) total += kept[i].logit;
  double left = Uniform() * total;
  for (int i = 0; i < count; ++i) {
    left -= kept[i].logit;
    if (left < 0) return kept[i].token;
  }
  return kept[count - 1].token;
}

int Sampler::Sample(const float* logits) {
  const float* adjusted = Adjusted(logits);
  if (options_.temperature > 0 &&
      (options_.top_k <= 0 || options_.top_k >= vocab_)) {
    const float* allowed = Allowed(adjusted);
    const int token = allowed ? SampleWhole(allowed) : kUndecided;
    if (token != kUndecided) return token;
  }
  int count = Collect(adjusted);
  // Every token forbidden.
  if (count == 0) return restricted_ ? BestAllowed(logits) : kForbidden;
  Candidate* kept = candidates_.get();
  if (options_.temperature == 0 || count == 1) return kept[0].token;

  Weigh(count, std::min_element(kept, kept + count, Before)->logit);
  if (options_.top_p < 1.0f) {
    double total = 0;
    for (int i = 0; i < count; ++i) total += kept[i].logit;
    count = Nucleus(count, options_.top_p * total, 0);
  }
  return Draw(AtLeastMinP(count));
}

}  // namespace fastweights
