// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "runtime/session.h"

namespace fastweights {

inline constexpr int kMostTokens = 150;  // of a text: over two pages

// How a text draws.
struct Drawing {
  SamplerOptions options;
  std::vector<std::pair<int, float>> bias;
  std::vector<uint32_t> allowed;  // empty: every token

  void Give(Sampler& sampler) const {
    sampler.Configure(options);
    sampler.ClearBias();
    for (const auto& [token, value] : bias) sampler.AddBias(token, value);
    if (!allowed.empty()) {
      std::copy(allowed.begin(), allowed.end(), sampler.Restrict());
    }
  }
};

// What must be true of a session.
struct Truth {
  std::vector<int> ids;  // that its state has read
  int pending = -1;
  bool has_logits = true;  // those after ids, zeros before a text
  Drawing drawing;
  uint64_t generator = 0;
  // Of the text and of what it was cloned from.
  std::vector<std::shared_ptr<const Checkpoint>> places;

  int position() const { return static_cast<int>(ids.size()); }
  // Tokens that may be read and leave room for a pending one.
  int room() const { return kMostTokens - 1 - position(); }
  bool can_draw() const { return pending < 0 ? has_logits : room() > 0; }

  void Read(std::span<const int> more, bool wants_logits) {
    ids.insert(ids.end(), more.begin(), more.end());
    pending = -1;
    has_logits = wants_logits;
  }

  // Draws the next token from what is true of its logits, in a sampler that
  // no session has.
  void Draw(Sampler& drawer, const float* logits) {
    if (pending >= 0) {
      const int read = pending;
      Read({&read, 1}, true);
    }
    drawing.Give(drawer);
    drawer.SetHistory(position(), ids.data());
    drawer.Seed(generator);
    pending = drawer.Sample(logits);
    generator = drawer.generator();
  }
};

struct Text {
  std::unique_ptr<Session> session;
  Truth truth;
};

// What a file has of a session.
struct Saved {
  std::vector<float> state, logits;  // logits where there are any to draw from
  std::vector<std::vector<float>> pages;
  std::vector<int> history;
  uint64_t generator;
  Truth truth;
};

}  // namespace fastweights
