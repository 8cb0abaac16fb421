// SPDX-License-Identifier: MIT
#include "memory/cell_rule.h"

namespace fastweights {
namespace {

// S <- e^g S + k (beta (v - S^T p))^T, o = S^T q: p reads what has not decayed,
// as the transition e^g - beta p k^T says.
constexpr CellSpec kComba = {
    .decay = Decay::kPerHead,
    .erase = Erase::kLowRank,
    .prepare =
        [](const CellCall& cell, LinearRecurrenceArgs* args) {
          const int H = cell.shape.heads;
          const int K = cell.shape.key_dim, V = cell.shape.value_dim;
          const float* beta = cell.input(5);
          float *b = cell.Take(H * K), *v = cell.Take(H * V);
          for (int th = 0; th < cell.call.tokens * H; ++th) {
            for (int i = th * K; i < (th + 1) * K; ++i) {
              b[i] = beta[th] * cell.input(1)[i];
            }
            for (int j = th * V; j < (th + 1) * V; ++j) {
              v[j] = beta[th] * cell.input(2)[j];
            }
          }
          args->g = cell.input(4);
          args->p = cell.input(3);
          args->b = b;
          args->v = v;
        },
    .prepared_floats =
        [](const MemoryShape& shape) {
          return shape.heads * (shape.key_dim + shape.value_dim);
        },
};

// S <- Diag(e^g) S + k u^T with u = w * v - S^T (b * k), o = S^T q
constexpr CellSpec kGdn2 = {
    .decay = Decay::kPerChannel,
    .erase = Erase::kKey,
    .prepare =
        [](const CellCall& cell, LinearRecurrenceArgs* args) {
          const MemoryShape& s = cell.shape;
          const int keys = s.key_heads * s.key_dim;
          const int values = s.heads * s.value_dim;
          float *p = cell.Take(keys), *v = cell.Take(values);
          for (int i = 0; i < cell.call.tokens * keys; ++i) {
            p[i] = cell.input(4)[i] * cell.input(1)[i];
          }
          for (int j = 0; j < cell.call.tokens * values; ++j) {
            v[j] = cell.input(5)[j] * cell.input(2)[j];
          }
          args->g = cell.input(3);
          args->p = p;
          args->v = v;
        },
    .prepared_floats =
        [](const MemoryShape& shape) {
          return shape.key_heads * shape.key_dim +
                 shape.heads * shape.value_dim;
        },
};

}  // namespace

// Comba (Hu et al. 2025): p is what the model erases by, its key made weaker.
RuleSpec CombaRule() {
  return {.name = "comba",
          .inputs = {kQueryInput,
                     kKeyInput,
                     kValueInput,
                     {.name = "p",
                      .extent = Extent::kKey,
                      .role = Role::kGate,
                      .like_key = true},
                     {"g", Extent::kHead, Role::kGate},
                     {"beta", Extent::kHead, Role::kGate, 1}},
          .settings = {ScaleSetting()},
          .make = &MakeCellRule<kComba>,
          .groups = false};
}

// Gated DeltaNet-2: erases by channels of the key, b, and writes by channels of
// the value, w.
RuleSpec Gdn2Rule() {
  return {.name = "gdn2",
          .inputs = {kQueryInput,
                     kKeyInput,
                     kValueInput,
                     {"g", Extent::kHeadKey, Role::kGate},
                     {"b", Extent::kKey, Role::kGate, 1},
                     {"w", Extent::kValue, Role::kGate, 1}},
          .settings = {ScaleSetting()},
          .make = &MakeCellRule<kGdn2>};
}

}  // namespace fastweights
