// SPDX-License-Identifier: MIT
#include "memory/cell_rule.h"

namespace fastweights {
namespace {

// Inputs c, b, x and dt:  S <- e^(dt a) S + b (dt x)^T,  o = S^T c + d x
constexpr CellSpec kMamba2 = {
    .decay = Decay::kPerHead,
    .prepare =
        [](const CellCall& cell, LinearRecurrenceArgs* args) {
          const int H = cell.shape.heads, V = cell.shape.value_dim;
          const float* a = cell.settings.Array("a");
          const float *x = cell.input(2), *dt = cell.input(3);
          float *g = cell.Take(H), *v = cell.Take(H * V);
          for (int th = 0; th < cell.call.tokens * H; ++th) {
            g[th] = dt[th] * a[th % H];
            for (int j = 0; j < V; ++j) v[th * V + j] = dt[th] * x[th * V + j];
          }
          args->g = g;
          args->v = v;
        },
    .prepared_floats =
        [](const MemoryShape& shape) {
          return shape.heads * (1 + shape.value_dim);
        },
    .finish =
        [](const CellCall& cell) {
          const int H = cell.shape.heads, V = cell.shape.value_dim;
          const float *d = cell.settings.Array("d"), *x = cell.input(2);
          for (int th = 0; th < cell.call.tokens * H; ++th) {
            for (int j = 0; j < V; ++j) {
              cell.call.out[th * V + j] += d[th % H] * x[th * V + j];
            }
          }
        },
};

}  // namespace

// Mamba-2, the state space dual (Dao and Gu 2024): dt after its softplus.
RuleSpec Mamba2Rule() {
  return {
      .name = "mamba2",
      .inputs = {{"c", Extent::kKey, Role::kQuery},
                 {"b", Extent::kKey, Role::kKey},
                 {"x", Extent::kValue, Role::kValue},
                 {"dt", Extent::kHead, Role::kGate, 1}},
      .settings = {ScaleSetting(),
                   {.name = "a",
                    .least = -1e4,
                    .most = 0,
                    .extent = Extent::kHead,
                    .at = [](const MemoryShape&, int, int) { return -1.0f; }},
                   {.name = "d",
                    .least = -1e6,
                    .most = 1e6,
                    .extent = Extent::kHead,
                    .at = [](const MemoryShape&, int, int) { return 0.0f; }}},
      .make = &MakeCellRule<kMamba2>};
}

}  // namespace fastweights
