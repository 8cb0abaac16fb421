// SPDX-License-Identifier: MIT
#include "memory/cell_rule.h"

namespace fastweights {
namespace {

constexpr CellSpec kMlstm = {.decay = Decay::kPerHead,
                             .norm = CellSpec::Norm::kStabilised};

}  // namespace

// The matrix memory of xLSTM (Beck et al. 2024), kept in range by its
// stabiliser; i and f before their exponential and sigmoid. By default a write
// keeps what there is: log sigmoid(30) is -1e-13.
RuleSpec MlstmRule() {
  return {
      .name = "mlstm",
      .inputs = {kQueryInput,
                 kKeyInput,
                 kValueInput,
                 {"i", Extent::kHead, Role::kGate},
                 {"f", Extent::kHead, Role::kGate, 30}},
      .settings = {ScaleSetting(),
                   {.name = "epsilon", .value = 1e-6, .least = 0, .most = 1}},
      .make = &MakeCellRule<kMlstm>,
      .groups = false};
}

}  // namespace fastweights
