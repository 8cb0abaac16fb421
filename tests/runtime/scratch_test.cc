// SPDX-License-Identifier: MIT

// Memory beside the weights at the shapes of real models, from their headers.

#include <gtest/gtest.h>

#include <string>

#include "runtime/model_builder.h"

namespace fastweights {
namespace {

struct Shape {
  const char* name;
  int layers, model_dim, feed_forward_dim;
  int query_heads, kv_heads;        // of 256 dims, every fourth layer
  int value_heads, key_heads = 16;  // of 128 dims, the other layers
};

// A file of Q8_0 matrices and F32 vectors; returns its tensors' bytes.
uint64_t AddHeader(const Shape& shape, ModelBuilder& builder) {
  constexpr int kF32 = 0, kQ8_0 = 8;
  constexpr int kVocab = 248320, kHead = 256, kLinearHead = 128;
  uint64_t bytes = 0;
  const auto add = [&](const std::string& name, int columns, int rows) {
    const bool is_float = rows == 1 || columns < 32;
    builder.AddTensor({name, is_float ? kF32 : kQ8_0, columns, rows});
    const size_t count = static_cast<size_t>(columns) * rows;
    bytes += is_float ? sizeof(float) * count : count / 32 * 34;
  };
  const auto set = [&](const std::string& key, double value) {
    builder.config().SetNumbers("qwen35." + key, {value});
  };
  builder.config().SetText("general.architecture", "qwen35");
  const int inner = shape.value_heads * kLinearHead;
  const int channels = 2 * shape.key_heads * kLinearHead + inner;
  const int dim = shape.model_dim;
  set("block_count", shape.layers);
  set("context_length", 262144);
  set("embedding_length", dim);
  set("feed_forward_length", shape.feed_forward_dim);
  set("attention.head_count", shape.query_heads);
  set("attention.head_count_kv", shape.kv_heads);
  set("attention.key_length", kHead);
  set("attention.value_length", kHead);
  set("attention.layer_norm_rms_epsilon", 1e-6);
  set("full_attention_interval", 4);
  set("rope.dimension_count", 64);
  set("rope.freq_base", 1e7);
  set("ssm.conv_kernel", 4);
  set("ssm.group_count", shape.key_heads);
  set("ssm.inner_size", inner);
  set("ssm.state_size", kLinearHead);
  set("ssm.time_step_rank", shape.value_heads);
  add("token_embd.weight", dim, kVocab);
  add("output_norm.weight", dim, 1);
  for (int i = 0; i < shape.layers; ++i) {
    const std::string block = "blk." + std::to_string(i) + ".";
    add(block + "attn_norm.weight", dim, 1);
    add(block + "post_attention_norm.weight", dim, 1);
    add(block + "ffn_gate.weight", dim, shape.feed_forward_dim);
    add(block + "ffn_up.weight", dim, shape.feed_forward_dim);
    add(block + "ffn_down.weight", shape.feed_forward_dim, dim);
    if (i % 4 == 3) {
      add(block + "attn_q.weight", dim, 2 * shape.query_heads * kHead);
      add(block + "attn_k.weight", dim, shape.kv_heads * kHead);
      add(block + "attn_v.weight", dim, shape.kv_heads * kHead);
      add(block + "attn_q_norm.weight", kHead, 1);
      add(block + "attn_k_norm.weight", kHead, 1);
      add(block + "attn_output.weight", shape.query_heads * kHead, dim);
    } else {
      add(block + "attn_qkv.weight", dim, channels);
      add(block + "attn_gate.weight", dim, inner);
      add(block + "ssm_alpha.weight", dim, shape.value_heads);
      add(block + "ssm_beta.weight", dim, shape.value_heads);
      add(block + "ssm_conv1d.weight", 4, channels);
      add(block + "ssm_dt.bias", shape.value_heads, 1);
      add(block + "ssm_a", shape.value_heads, 1);
      add(block + "ssm_norm.weight", kLinearHead, 1);
      add(block + "ssm_out.weight", inner, dim);
    }
  }
  return bytes;
}

class Scratch : public testing::TestWithParam<Shape> {};

// Weights as they lie in memory, scratch and the staging buffer stay within the
// tensors' bytes and 60 MB; another 4 MB are TypeScript's.
TEST_P(Scratch, PeakIsTheFileAndLittleMore) {
  ModelBuilder builder({.batch_tokens = 512, .threads = 4});
  const uint64_t file_bytes = AddHeader(GetParam(), builder);
  const std::optional<Error> error = builder.Plan();
  ASSERT_FALSE(error) << error->message;
  EXPECT_LE(builder.weights_bytes() + builder.scratch_bytes() + kStagingBytes,
            file_bytes + (60 << 20))
      << builder.weights_bytes() << " of weights from " << file_bytes << ", "
      << builder.scratch_bytes() << " of scratch";
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, Scratch,
    testing::Values(Shape{"qwen3_5_0_8b", 24, 1024, 3584, 8, 2, 16},
                    Shape{"qwen3_5_2b", 24, 2048, 6144, 8, 2, 16},
                    Shape{"qwen3_5_4b", 32, 2560, 9216, 16, 4, 32}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace fastweights
