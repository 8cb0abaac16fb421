// SPDX-License-Identifier: MIT
#include <cmath>

#include "kernels/decay_gates.h"
#include "memory/cell_rule.h"

namespace fastweights {
namespace {

// Both decay at a rate of the head's own: S <- e^g S + k v^T, o = S^T q.
constexpr CellSpec kConstantDecay = {
    .decay = Decay::kPerHead,
    .prepare =
        [](const CellCall& cell, LinearRecurrenceArgs* args) {
          const int heads = cell.shape.heads;
          const float* decay = cell.settings.Array("decay");
          float* g = cell.Take(heads);
          for (int i = 0; i < cell.call.tokens * heads; ++i) {
            g[i] = decay[i % heads];
          }
          args->g = g;
        },
    .prepared_floats = [](const MemoryShape& shape) { return shape.heads; },
};

Setting DecaySetting(float (*at)(const MemoryShape&, int, int)) {
  return {.name = "decay",
          .least = -1e4,
          .most = 0,
          .extent = Extent::kHead,
          .at = at};
}

}  // namespace

// RetNet (Sun et al. 2023): log(1 - 2^(-5 - h)); rotations are the caller's.
RuleSpec RetNetRule() {
  return {
      .name = "retnet",
      .inputs = {kQueryInput, kKeyInput, kValueInput},
      .settings = Joined(MapSettings(),
                         {DecaySetting([](const MemoryShape&, int, int head) {
                           return RetentionDecay(head);
                         })}),
      .make = &MakeCellRule<kConstantDecay>};
}

// Lightning attention (Qin et al. 2024): -2^(-8 (h + 1) / heads), which models
// scale by layer.
RuleSpec LightningRule() {
  return {.name = "lightning",
          .inputs = {kQueryInput, kKeyInput, kValueInput},
          .settings =
              Joined(MapSettings(),
                     {DecaySetting([](const MemoryShape& shape, int, int head) {
                       return -std::exp2(-8.0f * static_cast<float>(head + 1) /
                                         static_cast<float>(shape.heads));
                     })}),
          .make = &MakeCellRule<kConstantDecay>};
}

}  // namespace fastweights
