// SPDX-License-Identifier: MIT
#include "mixers/inner_layer.h"

#include <algorithm>
#include <utility>

#include "kernels/activations.h"

namespace fastweights {
namespace {

// Of inner channels at most, whatever the batch: a part of fewer tokens reads
// the weights once more, which from a hundred tokens on costs a few per cent,
// and large models would need more than all their other scratch.
constexpr size_t kMostBytes = 16 << 20;
// Floats of one task of the activation.
constexpr int kTaskFloats = 16 << 10;

}  // namespace

InnerLayer::InnerLayer(int model_dim, int inner_dim, Projection gate,
                       Projection up, Projection down)
    : model_dim_(model_dim),
      inner_dim_(inner_dim),
      gate_(std::move(gate)),
      up_(std::move(up)),
      down_(std::move(down)) {}

int InnerLayer::PartTokens(int tokens) const {
  const size_t bytes = (gate_ ? 2 : 1) * sizeof(float) * inner_dim_ * tokens;
  const int parts =
      std::max(1, static_cast<int>((bytes + kMostBytes - 1) / kMostBytes));
  return (tokens + parts - 1) / parts;
}

size_t InnerLayer::ScratchBytes(int tokens) const {
  const int part = PartTokens(tokens);
  const size_t inputs = part < tokens ? ProductInput::ScratchBytes(
                                            part, model_dim_, kMostTogether)
                                      : 0;
  return inputs + (gate_ ? 2 : 1) * FloatBytes(part, inner_dim_) +
         ProductInput::ScratchBytes(part, inner_dim_);
}

void InnerLayer::Forward(ProductInput& x, float* out) {
  const int tokens = x.tokens(), part = PartTokens(tokens);
  if (part == tokens) return Part(x, out);
  for (int from = 0; from < tokens; from += part) {
    const ArenaScope scope(x.workspace().arena());
    const size_t at = static_cast<size_t>(from) * model_dim_;
    ProductInput input(std::min(part, tokens - from), model_dim_,
                       x.values() + at, x.workspace());
    Part(input, out + at);
  }
}

void InnerLayer::Part(ProductInput& x, float* out) {
  Workspace& workspace = x.workspace();
  const size_t floats = static_cast<size_t>(x.tokens()) * inner_dim_;
  float* up = workspace.arena().Take<float>(floats);
  float* gate = gate_ ? workspace.arena().Take<float>(floats) : up;
  if (gate_) {
    const MatrixProduct products[] = {gate_.To(gate), up_.To(up)};
    MultiplyTogether(products, x);
    gate_.Finish(x.tokens(), gate, workspace);
    up_.Finish(x.tokens(), up, workspace);
  } else {
    up_.Multiply(x, up);
  }
  {
    const ProfileScope scope(workspace.profile(), {"activation"});
    ForRanges(workspace.threads(), static_cast<int>(floats), kTaskFloats,
              [&](int first, int end) {
                const size_t count = end - first;
                if (!gate_) return ReluSquared(count, up + first);
                SwiGlu(count, gate + first, up + first, up + first);
              });
  }
  ProductInput inner(x.tokens(), inner_dim_, up, workspace);
  down_.Multiply(inner, out);
}

}  // namespace fastweights
