// SPDX-License-Identifier: MIT
#include <string>

#include "architectures/architecture.h"
#include "kernel_test.h"

namespace fastweights {
namespace {

// The header of the 350M model: attention in layers 2, 5, 8, 10, 12 and 14.
struct Header {
  Header() {
    config.SetText("general.architecture", "lfm2");
    Set("block_count", 16);
    Set("context_length", 128000);
    Set("embedding_length", 1024);
    Set("feed_forward_length", 4608);
    Set("attention.head_count", 16);
    std::vector<double> kv_heads(16, 0.0);
    for (const int i : {2, 5, 8, 10, 12, 14}) kv_heads[i] = 8;
    config.SetNumbers("lfm2.attention.head_count_kv", kv_heads);
    Set("attention.layer_norm_rms_epsilon", 1e-5);
    Set("rope.freq_base", 1e6);
    Set("shortconv.l_cache", 3);
    Add("token_embd.weight", 1024, 65536);
    Add("token_embd_norm.weight", 1024, 1);
  }

  void Set(const std::string& key, double value) {
    config.SetNumbers("lfm2." + key, {value});
  }
  void Add(const std::string& name, int columns, int rows) {
    tensors[name] = {name, 0, columns, rows};
  }
  Result<ModelPlan> Plan() const { return MakePlan(config, tensors); }

  Config config;
  TensorTable tensors;
};

TEST(Lfm2, PlanFollowsTheHeader) {
  Result<ModelPlan> result = Header().Plan();
  ASSERT_TRUE(result.ok()) << result.error().message;
  const ModelPlan& plan = result.value();
  EXPECT_EQ(plan.output_norm.weight, "token_embd_norm.weight");
  EXPECT_EQ(plan.head, "token_embd.weight");
  ASSERT_EQ(plan.blocks.size(), 32u);
  const MixerPlan& conv = plan.blocks[0].mixers[0];
  EXPECT_EQ(conv.mixer, "short_conv");
  EXPECT_EQ(conv.Size("conv_width"), 3);
  EXPECT_EQ(conv.Tensor("input"), "blk.0.shortconv.in_proj.weight");
  EXPECT_FALSE(conv.Has("conv_bias"));
  const MixerPlan& attention = plan.blocks[4].mixers[0];
  EXPECT_EQ(attention.mixer, "softmax_attention");
  EXPECT_EQ(attention.Size("query_heads"), 16);
  EXPECT_EQ(attention.Size("kv_heads"), 8);
  EXPECT_EQ(attention.Size("key_dim"), 64);
  EXPECT_EQ(attention.Size("rotary_dim"), 64);
  EXPECT_EQ(attention.Number("rope_base"), 1e6);
  EXPECT_EQ(attention.Tensor("key_norm"), "blk.2.attn_k_norm.weight");
  EXPECT_EQ(plan.blocks[5].mixers[0].Size("inner_dim"), 4608);
  EXPECT_EQ(plan.blocks[5].norm.weight, "blk.2.ffn_norm.weight");
}

TEST(Lfm2, WhatSomeFilesHaveIsUsed) {
  Header header;
  header.Add("output_norm.weight", 1024, 1);
  header.Add("blk.0.shortconv.conv.bias", 1024, 1);
  header.Set("attention.sliding_window", 4096);
  Result<ModelPlan> result = header.Plan();
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result.value().output_norm.weight, "output_norm.weight");
  EXPECT_EQ(result.value().blocks[0].mixers[0].Tensor("conv_bias"),
            "blk.0.shortconv.conv.bias");
  EXPECT_EQ(result.value().blocks[4].mixers[0].Size("window"), 4096);
}

TEST(Lfm2, WhatChangesTheModelAndIsNotReadIsRefused) {
  for (const auto& [key, value] :
       {std::pair("attn_logit_softcapping", 30.0),
        std::pair("attention.causal", 0.0), std::pair("expert_count", 32.0),
        std::pair("rope.scaling.factor", 4.0)}) {
    Header header;
    header.Set(key, value);
    Result<ModelPlan> result = header.Plan();
    ASSERT_FALSE(result.ok()) << key;
    EXPECT_EQ(result.error().code, "unsupported_architecture");
    EXPECT_EQ(result.error().subject, std::string("lfm2.") + key);
  }
  Header header;
  header.config.SetText("lfm2.rope.scaling.type", "yarn");
  EXPECT_FALSE(header.Plan().ok());
  header.config.SetText("lfm2.rope.scaling.type", "none");
  header.Set("attention.causal", 1);
  EXPECT_TRUE(header.Plan().ok());
}

TEST(Lfm2, NumbersOutOfRangeAreNamed) {
  for (const auto& [key, value] :
       {std::pair("shortconv.l_cache", 1.0), std::pair("rope.freq_base", 0.0),
        std::pair("attention.head_count", 3.0)}) {
    Header header;
    header.Set(key, value);
    Result<ModelPlan> result = header.Plan();
    ASSERT_FALSE(result.ok()) << key;
    EXPECT_EQ(result.error().code, "invalid_metadata");
  }
}

}  // namespace
}  // namespace fastweights
