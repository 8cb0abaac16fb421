// SPDX-License-Identifier: MIT
#include "memory/cell_rule.h"

namespace fastweights {
namespace {

// S <- Diag(e^w) S + b (a^T S) + k v^T, o = S^T r: a reads what has not
// decayed.
constexpr CellSpec kRwkv7 = {
    .decay = Decay::kPerChannel,
    .erase = Erase::kLowRank,
    .prepare =
        [](const CellCall& cell, LinearRecurrenceArgs* args) {
          const int keys = cell.shape.key_heads * cell.shape.key_dim;
          float* b = cell.Take(keys);
          for (int i = 0; i < cell.call.tokens * keys; ++i) {
            b[i] = -cell.input(5)[i];
          }
          args->g = cell.input(3);
          args->p = cell.input(4);
          args->b = b;
        },
    .prepared_floats =
        [](const MemoryShape& shape) {
          return shape.key_heads * shape.key_dim;
        },
};

}  // namespace

// RWKV-7 (Peng et al. 2025); w is the log decay. In the model a is minus the
// normalised erase key and b that key times the in-context learning rate.
RuleSpec Rwkv7Rule() {
  return {.name = "rwkv7",
          .inputs = {{"r", Extent::kKey, Role::kQuery},
                     kKeyInput,
                     kValueInput,
                     {"w", Extent::kHeadKey, Role::kGate},
                     {"a", Extent::kKey, Role::kGate},
                     {"b", Extent::kKey, Role::kGate}},
          .settings = {ScaleSetting()},
          .make = &MakeCellRule<kRwkv7>};
}

}  // namespace fastweights
