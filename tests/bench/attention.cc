// SPDX-License-Identifier: MIT

// Softmax attention behind many tokens, for the clock in JavaScript.

#include <emscripten.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "base/arena.h"
#include "base/check.h"
#include "kernels/softmax_attention/softmax_attention.h"
#include "random.h"

namespace fastweights {
namespace {

// Tokens at the end of a text whose other keys and values are those of one
// random page, again and again.
struct Attention {
  SoftmaxAttentionShape shape;
  SoftmaxAttentionArgs args;
  int tokens;
  Buffer<float> memory;
  std::vector<float*> pages;
  std::vector<float> q, out, scratch;
};

}  // namespace

extern "C" {

EMSCRIPTEN_KEEPALIVE Attention* MakeAttention(int type, int query_heads,
                                              int kv_heads, int dim, int held,
                                              int tokens) {
  auto attention = std::make_unique<Attention>();
  const SoftmaxAttentionShape shape = {
      .query_heads = query_heads,
      .kv_heads = kv_heads,
      .key_dim = dim,
      .value_dim = dim,
      .scale = 1 / std::sqrt(static_cast<float>(dim)),
      .kv_type = static_cast<KvType>(type)};
  attention->shape = shape;
  attention->tokens = tokens;
  const int count = KvPageCount(held + tokens);
  const int floats = KvPageFloats(shape);
  attention->memory = MakeBuffer<float>(static_cast<size_t>(count) * floats);
  CHECK(attention->memory != nullptr);
  for (int i = 0; i < count; ++i) {
    attention->pages.push_back(attention->memory.get() +
                               static_cast<size_t>(i) * floats);
  }
  Random random(1);
  const auto k = random.Normals(kPageTokens * kv_heads * dim);
  const auto v = random.Normals(kPageTokens * kv_heads * dim);
  SoftmaxAttentionArgs& args = attention->args;
  args = {.q = nullptr,
          .q_stride = query_heads * dim,
          .q_head_stride = dim,
          .k = k.data(),
          .v = v.data(),
          .cache = {attention->pages.data(), 0},
          .position = 0,
          .out = nullptr};
  AppendKeysAndValues(0, kPageTokens, shape, args);
  for (int i = 1; i < count; ++i) {
    std::copy_n(attention->pages[0], floats, attention->pages[i]);
  }
  attention->q =
      random.Normals(static_cast<size_t>(tokens) * query_heads * dim);
  attention->out.resize(attention->q.size());
  attention->scratch.resize(AttentionScratchFloats(shape));
  args.q = attention->q.data();
  args.k = args.v = nullptr;
  args.position = held;
  args.out = attention->out.data();
  return attention.release();
}

EMSCRIPTEN_KEEPALIVE void RunAttention(Attention* attention) {
  const SoftmaxAttentionShape& shape = attention->shape;
  const int rows = attention->tokens * shape.query_heads / shape.kv_heads;
  const int heads = HeadsTogether(rows, shape.kv_heads);
  for (int head = 0; head < shape.kv_heads; head += heads) {
    for (int first = 0; first < rows; first += kAttentionRows) {
      SoftmaxAttentionStreaming(shape, attention->args,
                                {head, std::min(head + heads, shape.kv_heads),
                                 first, std::min(first + kAttentionRows, rows)},
                                attention->scratch.data());
    }
  }
}

EMSCRIPTEN_KEEPALIVE double AttentionBytes(const Attention* attention) {
  return static_cast<double>(attention->pages.size()) * sizeof(float) *
         KvPageFloats(attention->shape);
}

EMSCRIPTEN_KEEPALIVE void FreeAttention(Attention* attention) {
  delete attention;
}

}  // extern "C"
}  // namespace fastweights
