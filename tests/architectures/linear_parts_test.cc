// SPDX-License-Identifier: MIT

// The architectures of flash-linear-attention, and OLMo hybrid's.

#include <string>
#include <utility>

#include "architectures/architecture.h"
#include "kernel_test.h"

namespace fastweights {
namespace {

// A header of two layers with four heads.
struct Header {
  explicit Header(std::string architecture) : name(std::move(architecture)) {
    config.SetText("general.architecture", name);
    Set("block_count", 2);
    Set("context_length", 2048);
    Set("embedding_length", 1024);
    Set("feed_forward_length", 2816);
    Set("attention.head_count", 4);
    Set("attention.key_length", 128);
    Set("attention.value_length", 256);
    Set("attention.layer_norm_rms_epsilon", 1e-6);
    Set("rope.freq_base", 1e4);
    Set("ssm.conv_kernel", 4);
    Add("token_embd.weight", 1024, 32000);
    Add("output.weight", 1024, 32000);
    for (const char* block : {"blk.0.", "blk.1."}) {
      Add(block + std::string("ssm_norm.weight"), 256, 1);
    }
  }

  void Set(const std::string& key, double value) {
    config.SetNumbers(name + "." + key, {value});
  }
  void Say(const std::string& key, const std::string& text) {
    config.SetText(name + "." + key, text);
  }
  void Add(const std::string& tensor, int columns, int rows) {
    tensors[tensor] = {tensor, 0, columns, rows};
  }
  // The first layer's mixer.
  MixerPlan Mixer() const {
    Result<ModelPlan> plan = MakePlan(config, tensors);
    EXPECT_TRUE(plan.ok()) << plan.error().message;
    return plan.ok() ? plan.value().blocks[0].mixers[0] : MixerPlan{};
  }
  Error Failure() const {
    Result<ModelPlan> plan = MakePlan(config, tensors);
    EXPECT_FALSE(plan.ok());
    return plan.ok() ? Error{} : plan.error();
  }

  std::string name;
  Config config;
  TensorTable tensors;
};

TEST(LinearModels, AreBlocksOfAMixerAndASwiGlu) {
  for (const char* name :
       {"gated_deltanet", "delta_net", "kda", "gla", "retnet", "hgrn2"}) {
    SCOPED_TRACE(name);
    const Header header(name);
    Result<ModelPlan> result = MakePlan(header.config, header.tensors);
    ASSERT_TRUE(result.ok()) << result.error().message;
    const ModelPlan& plan = result.value();
    EXPECT_EQ(plan.head, "output.weight");
    ASSERT_EQ(plan.blocks.size(), 4u);
    const MixerPlan& mixer = plan.blocks[2].mixers[0];
    EXPECT_EQ(mixer.mixer, "linear_attention");
    EXPECT_EQ(mixer.Size("key_dim"), 128);
    EXPECT_EQ(mixer.Size("value_dim"), 256);
    EXPECT_EQ(mixer.Number("norm_epsilon"), 1e-6);
    EXPECT_EQ(mixer.Tensor("output"), "blk.1.attn_output.weight");
    EXPECT_EQ(mixer.Size("conv_width", 0), 0);
    EXPECT_FALSE(mixer.Has("gate"));
    EXPECT_EQ(plan.blocks[2].norm.weight, "blk.1.attn_norm.weight");
    EXPECT_EQ(plan.blocks[3].mixers[0].mixer, "feed_forward");
    EXPECT_EQ(plan.blocks[3].norm.weight, "blk.1.ffn_norm.weight");
  }
}

TEST(LinearModels, ConvolutionsAndGatesAreUsedWhereTheyAre) {
  Header header("gla");
  header.Add("blk.0.ssm_conv1d.weight", 4, 2048);
  header.Add("blk.0.attn_gate.weight", 1024, 1024);
  const MixerPlan mixer = header.Mixer();
  EXPECT_EQ(mixer.Size("conv_width"), 4);
  EXPECT_EQ(mixer.Size("silu_qk"), 1);
  EXPECT_EQ(mixer.Tensor("gate"), "blk.0.attn_gate.weight");
}

TEST(LinearModels, HeadsMayBeGroupedEitherWay) {
  Header values("gated_deltanet");
  values.Set("attention.value_head_count", 8);
  EXPECT_EQ(values.Mixer().Size("value_heads"), 8);
  EXPECT_EQ(values.Mixer().Size("query_heads"), 4);
  values.Set("attention.value_head_count", 6);
  EXPECT_EQ(values.Failure().code, "invalid_metadata");
  Header queries("retnet");
  queries.Set("attention.head_count_kv", 2);
  EXPECT_EQ(queries.Mixer().Size("query_heads"), 4);
  EXPECT_EQ(queries.Mixer().Size("value_heads"), 2);
}

TEST(LinearModels, VariantsAreRead) {
  Header delta("delta_net");
  delta.Set("attention.beta_scale", 2);
  EXPECT_EQ(delta.Mixer().Size("silu_qk"), 1);
  EXPECT_EQ(delta.Mixer().Size("qk_norm"), 1);
  EXPECT_EQ(delta.Mixer().Number("beta_scale"), 2);
  delta.Say("attention.qk_activation", "relu");
  delta.Say("attention.qk_norm", "sum");
  EXPECT_EQ(delta.Mixer().Size("silu_qk"), 0);
  EXPECT_EQ(delta.Mixer().Size("silu_v"), 1);
  EXPECT_EQ(delta.Mixer().Size("feature_map"), 2);
  EXPECT_EQ(delta.Mixer().Size("qk_norm"), 2);
  Header gla("gla");
  gla.Say("attention.feature_map", "elu");
  gla.Set("attention.decay_floor", -0.5);
  EXPECT_EQ(gla.Mixer().Size("feature_map"), 1);
  EXPECT_EQ(gla.Mixer().Number("decay_floor"), -0.5);
  EXPECT_EQ(gla.Mixer().Number("decay_divisor"), 16);
  Header kda("kda");
  EXPECT_FALSE(kda.Mixer().Has("alpha"));
  EXPECT_EQ(kda.Mixer().Number("decay_bound", 0), 0);
  kda.Set("attention.decay_lower_bound", -5);
  EXPECT_EQ(kda.Mixer().Number("decay_bound"), -5);
}

TEST(LinearModels, UnknownVariantsAreNamed) {
  for (const auto& [name, key] :
       {std::pair("delta_net", "attention.qk_activation"),
        std::pair("delta_net", "attention.qk_norm"),
        std::pair("gla", "attention.feature_map")}) {
    Header header(name);
    header.Say(key, "hedgehog");
    EXPECT_EQ(header.Failure().code, "unsupported_architecture");
    EXPECT_EQ(header.Failure().subject, header.name + "." + key);
    EXPECT_NE(header.Failure().message.find("hedgehog"), std::string::npos);
  }
}

TEST(LinearModels, BlocksWithoutAStateAreSoftmaxAttention) {
  Header header("gla");
  header.tensors.erase("blk.0.ssm_norm.weight");
  EXPECT_EQ(header.Failure().subject, "gla.full_attention.head_count");
  header.Set("full_attention.head_count", 16);
  header.Set("full_attention.head_count_kv", 4);
  header.Set("full_attention.rope_freq_base", 5000);
  header.Set("full_attention.sliding_window", 24);
  header.Add("blk.0.attn_q.bias", 1024, 1);
  const MixerPlan mixer = header.Mixer();
  EXPECT_EQ(mixer.mixer, "softmax_attention");
  EXPECT_EQ(mixer.Size("query_heads"), 16);
  EXPECT_EQ(mixer.Size("kv_heads"), 4);
  EXPECT_EQ(mixer.Size("rotary_dim"), 64);
  EXPECT_EQ(mixer.Number("rope_base"), 5000);
  EXPECT_EQ(mixer.Size("window"), 24);
  EXPECT_TRUE(mixer.Has("query_bias"));
  header.Set("full_attention.head_count_kv", 3);
  EXPECT_EQ(header.Failure().subject, "gla.full_attention.head_count_kv");
}

TEST(LinearModels, NumbersOutOfRangeAreNamed) {
  for (const auto& [key, value] :
       {std::pair("attention.key_length", 6.0),
        std::pair("attention.value_length", 2048.0),
        std::pair("attention.head_count", 0.0),
        std::pair("attention.head_count_kv", 3.0),
        std::pair("attention.layer_norm_rms_epsilon", -1.0)}) {
    Header header("gla");
    header.Set(key, value);
    EXPECT_EQ(header.Failure().code, "invalid_metadata") << key;
  }
  Header wide("hgrn2");
  wide.Set("attention.head_count", 4096);
  EXPECT_EQ(wide.Failure().code, "invalid_metadata");
}

TEST(OlmoHybrid, AttentionBlocksHaveTheirNormsBehindThem) {
  Header header("olmo_hybrid");
  header.config.SetNumbers("olmo_hybrid.attention.head_count_kv", {0, 2});
  header.Set("attention.key_length", 64);
  header.Set("attention.value_length", 64);
  header.Set("ssm.group_count", 2);
  header.Set("ssm.time_step_rank", 4);
  header.Set("ssm.state_size", 96);
  header.Set("ssm.inner_size", 768);
  header.Set("ssm.norm_rms_epsilon", 1e-5);
  header.Set("attention.beta_scale", 2);
  header.Add("blk.0.ssm_conv1d.weight", 4, 1152);
  Result<ModelPlan> result = MakePlan(header.config, header.tensors);
  ASSERT_TRUE(result.ok()) << result.error().message;
  const std::vector<BlockPlan>& blocks = result.value().blocks;
  const MixerPlan& linear = blocks[0].mixers[0];
  EXPECT_EQ(linear.mixer, "linear_attention");
  EXPECT_EQ(linear.Size("key_heads"), 2);
  EXPECT_EQ(linear.Size("value_heads"), 4);
  EXPECT_EQ(linear.Size("value_dim"), 192);
  EXPECT_EQ(linear.Number("norm_epsilon"), 1e-5);
  EXPECT_EQ(blocks[0].norm.weight, "blk.0.attn_norm.weight");
  EXPECT_EQ(blocks[0].output_norm.kind, NormKind::kNone);
  const MixerPlan& attention = blocks[2].mixers[0];
  EXPECT_EQ(attention.mixer, "softmax_attention");
  EXPECT_EQ(attention.Size("whole_norm"), 1);
  EXPECT_EQ(attention.Number("norm_epsilon"), 1e-6);
  for (const int i : {2, 3}) {
    EXPECT_EQ(blocks[i].norm.kind, NormKind::kNone);
    EXPECT_EQ(blocks[i].output_norm.kind, NormKind::kRms);
  }
  EXPECT_EQ(blocks[2].output_norm.weight, "blk.1.post_attention_norm.weight");
  EXPECT_EQ(blocks[3].output_norm.weight, "blk.1.post_ffw_norm.weight");
}

}  // namespace
}  // namespace fastweights
