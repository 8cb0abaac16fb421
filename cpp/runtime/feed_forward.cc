// SPDX-License-Identifier: MIT
#include "runtime/feed_forward.h"

#include <algorithm>

#include "kernels/activations.h"

namespace fastweights {
namespace {

// Of gate and up at most, whatever the batch: a part of fewer tokens reads the
// weights once more, which from a hundred tokens on costs a few per cent, and
// large models would need more than all their other scratch.
constexpr size_t kMostBytes = 16 << 20;
// Floats of one task of the activation.
constexpr int kTaskFloats = 16 << 10;

}  // namespace

FeedForward::FeedForward(int model_dim, const LayerPlan& plan, Weights& weights)
    : model_dim_(model_dim),
      inner_dim_(plan.feed_forward_dim),
      gate_(weights.Matrix(plan.gate, inner_dim_, model_dim)),
      up_(weights.Matrix(plan.up, inner_dim_, model_dim)),
      down_(weights.Matrix(plan.down, model_dim, inner_dim_)) {}

int FeedForward::PartTokens(int tokens) const {
  const size_t bytes = 2 * sizeof(float) * inner_dim_ * tokens;
  const int parts =
      std::max(1, static_cast<int>((bytes + kMostBytes - 1) / kMostBytes));
  return (tokens + parts - 1) / parts;
}

size_t FeedForward::ScratchBytes(int tokens) const {
  const int part = PartTokens(tokens);
  return ProductInput::ScratchBytes(part, model_dim_) +
         2 * AlignedBytes(sizeof(float) * static_cast<size_t>(part) *
                          inner_dim_) +
         ProductInput::ScratchBytes(part, inner_dim_);
}

void FeedForward::Forward(int tokens, float* x, Workspace& workspace) {
  const int part = PartTokens(tokens);
  for (int from = 0; from < tokens; from += part) {
    const ArenaScope scope(workspace.arena());
    const int count = std::min(part, tokens - from);
    float* rows = x + static_cast<size_t>(from) * model_dim_;
    const size_t floats = static_cast<size_t>(count) * inner_dim_;
    ProductInput input(count, model_dim_, rows, workspace);
    float* gate = workspace.arena().Take<float>(floats);
    float* up = workspace.arena().Take<float>(floats);
    gate_->Multiply(input, gate, inner_dim_);
    up_->Multiply(input, up, inner_dim_);
    {
      const ProfileScope scope(workspace.profile(), {"activation"});
      ForRanges(workspace.threads(), static_cast<int>(floats), kTaskFloats,
                [&](int first, int end) {
                  SwiGlu(end - first, gate + first, up + first, gate + first);
                });
    }
    ProductInput inner(count, inner_dim_, gate, workspace);
    down_->Multiply(inner, rows, model_dim_);
  }
}

}  // namespace fastweights
