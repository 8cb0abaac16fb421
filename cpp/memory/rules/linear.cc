// SPDX-License-Identifier: MIT
#include "memory/cell_rule.h"

namespace fastweights {
namespace {

// S <- S + phi(k) v^T, o = S^T phi(q)
constexpr CellSpec kLinear = {};

// The same, divided by phi(q) . z, z the sum of phi(k).
constexpr CellSpec kNormalised = {.norm = CellSpec::Norm::kSum};

}  // namespace

// Unnormalised; with the identity for phi a linear associator (Kohonen 1972).
RuleSpec LinearRule() {
  return {.name = "linear",
          .inputs = {kQueryInput, kKeyInput, kValueInput},
          .settings = MapSettings(),
          .make = &MakeCellRule<kLinear>};
}

// Katharopoulos et al. 2020, whose epsilon and feature map it has by default.
RuleSpec LinearTransformerRule() {
  return {.name = "linear_transformer",
          .inputs = {kQueryInput, kKeyInput, kValueInput},
          .settings =
              Joined(MapSettings(FeatureMap::kEluPlusOne),
                     {{.name = "epsilon", .value = 1e-6, .least = 0, .most = 1},
                      {.name = "causal",
                       .value = 1,
                       .least = 0,
                       .most = 1,
                       .flag = true}}),
          .make = &MakeCellRule<kNormalised>};
}

}  // namespace fastweights
