// SPDX-License-Identifier: MIT
#include <cmath>

#include "memory/cell_rule.h"

namespace fastweights {
namespace {

// S <- Diag(e^g) S + k v^T, o = S^T q
constexpr CellSpec kGla = {
    .decay = Decay::kPerChannel,
    .prepare = [](const CellCall& cell,
                  LinearRecurrenceArgs* args) { args->g = cell.input(3); },
};

// The key is what is forgotten, 1 - e^g: inputs q, g, v.
constexpr CellSpec kHgrn2 = {
    .decay = Decay::kPerChannel,
    .prepare =
        [](const CellCall& cell, LinearRecurrenceArgs* args) {
          const int keys = cell.shape.heads * cell.shape.key_dim;
          float* k = cell.Take(keys);
          args->g = cell.input(1);
          for (int i = 0; i < cell.call.tokens * keys; ++i) {
            k[i] = -std::expm1(args->g[i]);
          }
          args->k = k;
        },
    .prepared_floats =
        [](const MemoryShape& shape) { return shape.heads * shape.key_dim; },
};

}  // namespace

// Gated linear attention (Yang et al. 2023).
RuleSpec GlaRule() {
  return {.name = "gla",
          .inputs = {kQueryInput,
                     kKeyInput,
                     kValueInput,
                     {"g", Extent::kHeadKey, Role::kGate}},
          .settings = {ScaleSetting()},
          .make = &MakeCellRule<kGla>};
}

// Qin et al. 2024; g is the log of its forget gate.
RuleSpec Hgrn2Rule() {
  return {.name = "hgrn2",
          .inputs = {kQueryInput,
                     {"g", Extent::kHeadKey, Role::kGate},
                     kValueInput},
          .settings = {ScaleSetting()},
          .make = &MakeCellRule<kHgrn2>,
          .groups = false};
}

}  // namespace fastweights
