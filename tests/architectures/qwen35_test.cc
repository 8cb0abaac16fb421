// SPDX-License-Identifier: MIT
#include <cmath>
#include <set>
#include <string>

#include "architectures/architecture.h"
#include "kernel_test.h"

namespace fastweights {
namespace {

std::string Block(int i, const char* name) {
  return "blk." + std::to_string(i) + "." + name;
}

// The token mixer of a layer; its feed-forward is the next block.
const MixerPlan& LayerMixer(const ModelPlan& plan, int layer) {
  return plan.blocks[2 * layer].mixers[0];
}

// The header of the 0.8B model; every fourth layer is full attention.
struct Header {
  explicit Header(int blocks = 24) {
    config.SetText("general.architecture", "qwen35");
    Set("block_count", blocks);
    Set("context_length", 262144);
    Set("embedding_length", 1024);
    Set("feed_forward_length", 3584);
    Set("attention.head_count", 8);
    Set("attention.head_count_kv", 2);
    Set("attention.key_length", 256);
    Set("attention.value_length", 256);
    Set("attention.layer_norm_rms_epsilon", 1e-6);
    Set("full_attention_interval", 4);
    Set("rope.dimension_count", 64);
    Set("rope.freq_base", 1e7);
    Set("ssm.conv_kernel", 4);
    Set("ssm.group_count", 16);
    Set("ssm.inner_size", 2048);
    Set("ssm.state_size", 128);
    Set("ssm.time_step_rank", 16);
    Add("token_embd.weight", 1024, 248320);
    for (int i = 0; i < blocks; ++i) {
      if (i % 4 != 3) Add(Block(i, "ssm_a"), 16, 1);
    }
  }

  void Set(const std::string& key, double value) {
    config.SetNumbers("qwen35." + key, {value});
  }
  void Add(const std::string& name, int columns, int rows) {
    tensors[name] = {name, 0, columns, rows};
  }
  Result<ModelPlan> Plan() const { return MakePlan(config, tensors); }

  Config config;
  TensorTable tensors;
};

TEST(Qwen35, PlanFollowsTheHeader) {
  const Header header;
  Result<ModelPlan> result = header.Plan();
  ASSERT_TRUE(result.ok()) << result.error().message;
  const ModelPlan& plan = result.value();
  EXPECT_EQ(plan.model_dim, 1024);
  EXPECT_EQ(plan.vocab, 248320);
  EXPECT_EQ(plan.context_length, 262144);
  EXPECT_EQ(plan.embedding, "token_embd.weight");
  EXPECT_EQ(plan.output_norm.weight, "output_norm.weight");
  EXPECT_EQ(plan.output_norm.epsilon, 1e-6);
  EXPECT_EQ(plan.head, "token_embd.weight");
  ASSERT_EQ(plan.blocks.size(), 48u);
  for (int i = 0; i < 24; ++i) {
    const BlockPlan& mixing = plan.blocks[2 * i];
    ASSERT_EQ(mixing.mixers.size(), 1u);
    const MixerPlan& mixer = mixing.mixers[0];
    EXPECT_EQ(mixer.mixer, i % 4 == 3 ? "softmax_attention" : "gated_delta");
    EXPECT_EQ(mixer.Number("norm_epsilon"), 1e-6);
    EXPECT_EQ(mixing.norm.weight, Block(i, "attn_norm.weight"));
    EXPECT_EQ(mixing.residual_scale, 1);
    const BlockPlan& channels = plan.blocks[2 * i + 1];
    ASSERT_EQ(channels.mixers.size(), 1u);
    const MixerPlan& feed_forward = channels.mixers[0];
    EXPECT_EQ(channels.norm.weight, Block(i, "post_attention_norm.weight"));
    EXPECT_EQ(feed_forward.mixer, "feed_forward");
    EXPECT_EQ(feed_forward.Tensor("gate"), Block(i, "ffn_gate.weight"));
    EXPECT_EQ(feed_forward.Tensor("up"), Block(i, "ffn_up.weight"));
    EXPECT_EQ(feed_forward.Tensor("down"), Block(i, "ffn_down.weight"));
    EXPECT_EQ(feed_forward.Size("inner_dim"), 3584);
  }
}

TEST(Qwen35, LayersNameTheirSizesAndTensors) {
  Result<ModelPlan> result = Header().Plan();
  ASSERT_TRUE(result.ok());
  using Sizes = std::map<std::string, double>;
  using Tensors = std::map<std::string, std::string>;
  EXPECT_EQ(LayerMixer(result.value(), 2).sizes,
            (Sizes{{"value_heads", 16},
                   {"key_heads", 16},
                   {"key_dim", 128},
                   {"value_dim", 128},
                   {"conv_width", 4},
                   {"norm_epsilon", 1e-6}}));
  EXPECT_EQ(LayerMixer(result.value(), 2).tensors,
            (Tensors{{"qkv", "blk.2.attn_qkv.weight"},
                     {"gate", "blk.2.attn_gate.weight"},
                     {"alpha", "blk.2.ssm_alpha.weight"},
                     {"beta", "blk.2.ssm_beta.weight"},
                     {"conv", "blk.2.ssm_conv1d.weight"},
                     {"dt_bias", "blk.2.ssm_dt.bias"},
                     {"decay", "blk.2.ssm_a"},
                     {"norm", "blk.2.ssm_norm.weight"},
                     {"output", "blk.2.ssm_out.weight"}}));
  EXPECT_EQ(LayerMixer(result.value(), 3).sizes,
            (Sizes{{"query_heads", 8},
                   {"kv_heads", 2},
                   {"key_dim", 256},
                   {"rotary_dim", 64},
                   {"rope_base", 1e7},
                   {"has_gate", 1},
                   {"norm_epsilon", 1e-6}}));
  EXPECT_EQ(LayerMixer(result.value(), 3).tensors,
            (Tensors{{"query", "blk.3.attn_q.weight"},
                     {"key", "blk.3.attn_k.weight"},
                     {"value", "blk.3.attn_v.weight"},
                     {"query_norm", "blk.3.attn_q_norm.weight"},
                     {"key_norm", "blk.3.attn_k_norm.weight"},
                     {"output", "blk.3.attn_output.weight"}}));
}

TEST(Qwen35, OllamasDialectIsRead) {
  Header header;
  std::vector<double> kv_heads;
  for (int i = 0; i < 24; ++i) {
    kv_heads.push_back(i % 4 == 3 ? 2 : 0);
    if (i % 4 != 3) header.Add(Block(i, "ssm_dt"), 16, 1);
  }
  header.config.SetNumbers("qwen35.attention.head_count_kv", kv_heads);
  header.Add("v.patch_embd.weight", 16, 1024);
  Result<ModelPlan> result = header.Plan();
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(LayerMixer(result.value(), 0).Tensor("dt_bias"), "blk.0.ssm_dt");
  EXPECT_EQ(LayerMixer(result.value(), 23).Size("kv_heads"), 2);
}

TEST(Qwen35, ValueHeadsMayBeGroupedByTheirKeyHeads) {
  Header header;
  header.Set("ssm.v_head_reordered", 1);
  EXPECT_EQ(LayerMixer(header.Plan().value(), 0).Size("grouped_heads", 0), 0);
  header.Set("ssm.v_head_reordered", 0);
  EXPECT_EQ(LayerMixer(header.Plan().value(), 0).Size("grouped_heads", 0), 1);
}

TEST(Qwen35, BlockForMultiTokenPredictionIsSkipped) {
  Header header(25);
  header.Set("nextn_predict_layers", 1);
  Result<ModelPlan> result = header.Plan();
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result.value().blocks.size(), 48u);
}

TEST(Qwen35, BlockForMultiTokenPredictionMayShareTheLastNorm) {
  Header header(25);
  header.Set("nextn_predict_layers", 1);
  const std::string nextn = Block(24, "nextn.");
  header.Add(nextn + "eh_proj.weight", 2048, 1024);
  EXPECT_EQ(header.Plan().value().guess->output_norm.weight,
            "output_norm.weight");
  header.Add(nextn + "shared_head_norm.weight", 1024, 1);
  EXPECT_EQ(header.Plan().value().guess->output_norm.weight,
            nextn + "shared_head_norm.weight");
}

TEST(Qwen35, ModelsMayBeLinearThroughout) {
  Header header;
  for (int i = 3; i < 24; i += 4) header.Add(Block(i, "ssm_a"), 16, 1);
  Result<ModelPlan> result = header.Plan();
  ASSERT_TRUE(result.ok()) << result.error().message;
  for (int i = 0; i < 24; ++i) {
    EXPECT_EQ(LayerMixer(result.value(), i).mixer, "gated_delta");
  }
}

TEST(Qwen35, HeadOfItsOwnIsUsed) {
  Header header;
  header.Add("output.weight", 1024, 248320);
  EXPECT_EQ(header.Plan().value().head, "output.weight");
}

TEST(Qwen35, OptionalKeysHaveTheirDefaults) {
  Header header;
  header.config = Config();
  const Config full = Header().config;
  header.config.SetText("general.architecture", "qwen35");
  for (const char* key :
       {"block_count", "context_length", "embedding_length",
        "feed_forward_length", "attention.head_count", "attention.key_length",
        "attention.layer_norm_rms_epsilon", "rope.freq_base", "ssm.conv_kernel",
        "ssm.group_count", "ssm.inner_size", "ssm.state_size",
        "ssm.time_step_rank"}) {
    header.Set(key, *full.Number(std::string("qwen35.") + key));
  }
  Result<ModelPlan> result = header.Plan();
  ASSERT_TRUE(result.ok()) << result.error().message;
  const MixerPlan& layer = LayerMixer(result.value(), 3);
  EXPECT_EQ(layer.Size("kv_heads"), 8);
  EXPECT_EQ(layer.Size("rotary_dim"), 256);
}

struct BadNumber {
  const char* key;
  std::vector<double> values;
};

TEST(Qwen35, EveryNumberOutOfRangeIsNamed) {
  const double inf = INFINITY;
  const BadNumber bad[] = {
      {"block_count", {0, -1, 4097, 23.5, 1e300, NAN, inf}},
      {"nextn_predict_layers", {-1, 24, 1e10, 0.5, NAN}},
      {"context_length", {0, -1, 1.1e9, NAN, inf}},
      {"embedding_length", {0, 3, 1022, 1 << 19, 1024.5, NAN, -inf}},
      {"feed_forward_length", {0, -1, 1 << 19, 3584.5, NAN}},
      {"attention.head_count", {0, -8, 4097, 7.5, NAN}},
      {"attention.head_count_kv", {0, -2, 3, 16, 4097, NAN}},
      {"attention.key_length", {0, -4, 254, 1024, 64.5, NAN}},
      {"attention.value_length", {128, 0, 1024, NAN}},
      {"attention.layer_norm_rms_epsilon", {0, -1e-6, 1, NAN, inf}},
      {"rope.dimension_count", {0, 1, 63, 258, -2, NAN}},
      {"rope.freq_base", {0, -1e7, 1e13, NAN, inf}},
      {"ssm.conv_kernel", {0, 1, 9, 2.5, NAN}},
      {"ssm.group_count", {0, -1, 5, 32, 4097, NAN}},
      {"ssm.inner_size", {0, 2047, 2040, 16384, 1 << 19, NAN}},
      {"ssm.state_size", {0, 2, 126, 1024, NAN}},
      {"ssm.time_step_rank", {0, -1, 4097, 15.5, NAN}},
  };
  for (const auto& [key, values] : bad) {
    for (const double value : values) {
      Header header;
      header.Set(key, value);
      Result<ModelPlan> result = header.Plan();
      ASSERT_FALSE(result.ok()) << key << " = " << value;
      EXPECT_EQ(result.error().code, "invalid_metadata");
      EXPECT_EQ(result.error().subject, std::string("qwen35.") + key) << value;
      EXPECT_NE(result.error().message.find(key), std::string::npos);
    }
  }
}

TEST(Qwen35, EmptyListsAreMissing) {
  Header header;
  header.config.SetNumbers("qwen35.embedding_length", {});
  Result<ModelPlan> result = header.Plan();
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().subject, "qwen35.embedding_length");
}

TEST(Qwen35, FirstOfSeveralMistakesIsNamed) {
  Result<ModelPlan> result = MakePlan(
      [] {
        Config config;
        config.SetText("general.architecture", "qwen35");
        return config;
      }(),
      {});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().subject, "qwen35.block_count");
}

}  // namespace
}  // namespace fastweights
