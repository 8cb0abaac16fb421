// SPDX-License-Identifier: MIT
#include "memory/cell_rule.h"

namespace fastweights {
namespace {

// o = (S + Diag(u) k v^T)^T r, then S <- Diag(e^w) S + k v^T
constexpr CellSpec kRwkv6 = {
    .decay = Decay::kPerChannel,
    .read = Read::kBeforeWrite,
    .prepare =
        [](const CellCall& cell, LinearRecurrenceArgs* args) {
          args->g = cell.input(3);
          args->bonus = cell.settings.Array("u");
        },
};

}  // namespace

// RWKV-6 (Peng et al. 2024); w is the log decay.
RuleSpec Rwkv6Rule() {
  return {
      .name = "rwkv6",
      .inputs = {{"r", Extent::kKey, Role::kQuery},
                 kKeyInput,
                 kValueInput,
                 {"w", Extent::kHeadKey, Role::kGate}},
      .settings = {ScaleSetting(),
                   {.name = "u",
                    .least = -1e6,
                    .most = 1e6,
                    .extent = Extent::kHeadKey,
                    .at = [](const MemoryShape&, int, int) { return 0.0f; }}},
      .make = &MakeCellRule<kRwkv6>};
}

}  // namespace fastweights
