// SPDX-License-Identifier: MIT
#include "kernels/dot.h"
#include "memory/cell_rule.h"

namespace fastweights {
namespace {

// S <- S + k u^T with u = beta (v - S^T k), o = S^T q
constexpr CellSpec kDelta = {
    .erase = Erase::kDelta,
    .prepare = [](const CellCall& cell,
                  LinearRecurrenceArgs* args) { args->beta = cell.input(3); },
};

// The same step taken implicitly, at beta / (1 + beta k . k).
constexpr CellSpec kLonghorn = {
    .erase = Erase::kDelta,
    .prepare =
        [](const CellCall& cell, LinearRecurrenceArgs* args) {
          const MemoryShape& s = cell.shape;
          const int group = s.heads / s.key_heads;
          const int dim = args->k_stride / s.key_heads;
          float* beta = cell.Take(s.heads);
          for (int i = 0; i < cell.call.tokens * s.heads; ++i) {
            const float given = cell.input(3)[i];
            const float* k = args->k + i / s.heads * args->k_stride +
                             i % s.heads / group * dim;
            beta[i] = given / (1.0f + given * Dot(dim, k, k));
          }
          args->beta = beta;
        },
    .prepared_floats = [](const MemoryShape& shape) { return shape.heads; },
};

// The delta rule on what has decayed: S <- e^g S + k u^T.
constexpr CellSpec kGatedDelta = {
    .decay = Decay::kPerHead,
    .erase = Erase::kDelta,
    .prepare =
        [](const CellCall& cell, LinearRecurrenceArgs* args) {
          args->g = cell.input(3);
          args->beta = cell.input(4);
        },
};

// S <- Diag(e^g) S + k u^T
constexpr CellSpec kKda = {
    .decay = Decay::kPerChannel,
    .erase = Erase::kDelta,
    .prepare = kGatedDelta.prepare,
};

constexpr MemoryInput kBeta = {"beta", Extent::kHead, Role::kGate, 1};

}  // namespace

// DeltaNet (Schlag et al. 2021, Yang et al. 2024).
RuleSpec DeltaRule() {
  return {.name = "delta",
          .inputs = {kQueryInput, kKeyInput, kValueInput, kBeta},
          .settings = MapSettings(),
          .make = &MakeCellRule<kDelta>};
}

// Longhorn (Liu et al. 2024), its exact form.
RuleSpec LonghornRule() {
  return {.name = "longhorn",
          .inputs = {kQueryInput, kKeyInput, kValueInput, kBeta},
          .settings = MapSettings(),
          .make = &MakeCellRule<kLonghorn>};
}

// Gated DeltaNet (Yang et al. 2024).
RuleSpec GatedDeltaRule() {
  return {.name = "gated_delta",
          .inputs = {kQueryInput,
                     kKeyInput,
                     kValueInput,
                     {"g", Extent::kHead, Role::kGate},
                     kBeta},
          .settings = MapSettings(),
          .make = &MakeCellRule<kGatedDelta>};
}

// Kimi Delta Attention (Kimi Team 2025).
RuleSpec KdaRule() {
  return {.name = "kda",
          .inputs = {kQueryInput,
                     kKeyInput,
                     kValueInput,
                     {"g", Extent::kHeadKey, Role::kGate},
                     kBeta},
          .settings = {ScaleSetting()},
          .make = &MakeCellRule<kKda>};
}

}  // namespace fastweights
