// SPDX-License-Identifier: MIT
#include "kernels/softmax_attention/self_check.h"

#include <cstdint>

#include "kernels/softmax_attention/softmax_attention.h"

namespace fastweights {
namespace {

// Rows and columns that tiles leave some of; positions by eight and then by
// four, of which the last lacks one alone, as halves are added up by
// themselves.
constexpr int kHeads = 7, kKeyDim = 12, kValueDim = 12, kPositions = 43;

// A whole number of [-limit, limit].
float Whole(int i, int limit) {
  const uint32_t scattered = static_cast<uint32_t>(i) * 2654435761u >> 8;
  return static_cast<float>(static_cast<int>(scattered % (2 * limit + 1)) -
                            limit);
}

// A whole number up to 127, which is the largest weight, and each group's
// first; of later groups halves and quarters of such.
float ValueScale(int s) {
  const auto whole = static_cast<float>(s % 16 == 0 ? 127 : 1 + s * 37 % 127);
  return whole / static_cast<float>(1 << s / 16);
}

}  // namespace

// Each query meets all keys with the same score, so weights are 1 to the bit
// unless a product of some positions is wrong; and outputs are the mean of the
// values. Codes come out as the whole numbers that they are made of: queries'
// largest is kQueryZero - 1, keys' is 127 and values' 127 times their scale.
bool Int8AttentionIsExact() {
  constexpr SoftmaxAttentionShape kShape = {.query_heads = kHeads,
                                            .kv_heads = 1,
                                            .key_dim = kKeyDim,
                                            .value_dim = kValueDim,
                                            .scale = 1.0f,
                                            .kv_type = KvType::kInt8};
  // Pairs of a query's dims are equal, those of keys have the same sum.
  float q[kHeads * kKeyDim], k[kPositions * kKeyDim];
  for (int i = 0; i < kHeads * kKeyDim; i += 2) {
    q[i] = q[i + 1] =
        i % kKeyDim == 0 ? kQueryZero - 1 : Whole(i, kQueryZero - 1);
  }
  for (int i = 0; i < kPositions * kKeyDim; i += 2) {
    const int s = i / kKeyDim, pair = i % kKeyDim;
    const float sum = pair == 0 ? 60.0f : Whole(pair, 60);
    k[i] = pair > 0 ? Whole(i, 67) : s % 2 == 0 ? 127.0f : sum - 127.0f;
    k[i + 1] = sum - k[i];
  }
  float v[kPositions * kValueDim], sums[kValueDim] = {};
  for (int i = 0; i < kPositions * kValueDim; ++i) {
    const int s = i / kValueDim, column = i % kValueDim;
    v[i] = (column == s % kValueDim ? 127.0f : Whole(i, 127)) * ValueScale(s);
    sums[column] += v[i];
  }
  alignas(16) float page[KvPageFloats(kShape)];
  float* const pages[] = {page};
  float out[kHeads * kValueDim];
  SoftmaxAttentionArgs args = {.q = q,
                               .q_stride = 0,
                               .q_head_stride = kKeyDim,
                               .k = k,
                               .v = v,
                               .cache = {pages, 0},
                               .position = 0,
                               .out = out};
  AppendKeysAndValues(0, kPositions, kShape, args);
  args.position = kPositions - 1;
  alignas(16) float scratch[AttentionScratchFloats(kShape)];
  SoftmaxAttentionStreaming(kShape, args, {0, 1, 0, kHeads}, scratch);
  for (int i = 0; i < kHeads * kValueDim; ++i) {
    if (out[i] != sums[i % kValueDim] * (1.0f / kPositions)) return false;
  }
  return true;
}

}  // namespace fastweights
