// SPDX-License-Identifier: MIT

// RWKV-7 and RWKV-6, and the Qwen models whose attention they replaced.

#include <string>

#include "architectures/architecture.h"
#include "kernel_test.h"

namespace fastweights {
namespace {

std::string Block(int i, const std::string& name) {
  return "blk." + std::to_string(i) + "." + name;
}

struct Header {
  explicit Header(const char* name) : architecture(name) {
    config.SetText("general.architecture", name);
    Set("block_count", 3);
    Set("context_length", 1 << 20);
    Set("embedding_length", 768);
    Set("feed_forward_length", 3072);
    Set("attention.head_count", 0);
    Set("wkv.head_size", 64);
    Add("token_embd.weight", 768, 65536);
    Add("output.weight", 768, 65536);
    for (const char* norm : {"token_embd_norm", "output_norm"}) {
      Add(std::string(norm) + ".bias", 768, 1);
    }
    for (int i = 0; i < 3; ++i) {
      for (const char* norm : {"attn_norm", "attn_norm_2", "time_mix_ln"}) {
        Add(Block(i, std::string(norm) + ".weight"), 768, 1);
        Add(Block(i, std::string(norm) + ".bias"), 768, 1);
      }
    }
  }

  void Set(const std::string& key, double value) {
    config.SetNumbers(architecture + "." + key, {value});
  }
  void Add(const std::string& name, int columns, int rows) {
    tensors[name] = {name, 0, columns, rows};
  }
  Result<ModelPlan> Plan() const { return MakePlan(config, tensors); }

  std::string architecture;
  Config config;
  TensorTable tensors;
};

Header Rwkv7Header(const char* name = "rwkv7") {
  Header header(name);
  header.Set("attention.layer_norm_epsilon", 1e-5);
  header.Set("attention.decay_lora_rank", 64);
  header.Set("attention.iclr_lora_rank", 48);
  header.Set("attention.value_residual_mix_lora_rank", 32);
  header.Set("attention.gate_lora_rank", 128);
  for (int i = 0; i < 3; ++i) {
    header.Add(Block(i, "time_mix_g1.weight"), 768, 128);
  }
  return header;
}

Header Rwkv6Header(const char* name = "rwkv6") {
  Header header(name);
  header.Set("attention.layer_norm_epsilon", 1e-5);
  header.Set("time_mix_extra_dim", 32);
  header.Set("time_decay_extra_dim", 64);
  for (int i = 0; i < 3; ++i) {
    header.Add(Block(i, "channel_mix_receptance.weight"), 768, 768);
  }
  return header;
}

using Sizes = std::map<std::string, double>;

TEST(Rwkv7Plan, FollowsTheHeader) {
  Result<ModelPlan> result = Rwkv7Header().Plan();
  ASSERT_TRUE(result.ok()) << result.error().message;
  const ModelPlan& plan = result.value();
  EXPECT_EQ(plan.embedding_norm.kind, NormKind::kLayer);
  EXPECT_EQ(plan.embedding_norm.weight, "token_embd_norm.weight");
  EXPECT_EQ(plan.embedding_norm.bias, "token_embd_norm.bias");
  EXPECT_EQ(plan.output_norm.kind, NormKind::kLayer);
  EXPECT_EQ(plan.head, "output.weight");
  ASSERT_EQ(plan.blocks.size(), 6u);
  for (int i = 0; i < 3; ++i) {
    const BlockPlan &time = plan.blocks[2 * i],
                    &channel = plan.blocks[2 * i + 1];
    EXPECT_EQ(time.norm.weight, Block(i, "attn_norm.weight"));
    EXPECT_EQ(time.norm.epsilon, 1e-5);
    EXPECT_EQ(channel.norm.weight, Block(i, "attn_norm_2.weight"));
    const MixerPlan& mixer = time.mixers[0];
    EXPECT_EQ(mixer.mixer, "rwkv7");
    EXPECT_EQ(mixer.sizes, (Sizes{{"heads", 12},
                                  {"head_dim", 64},
                                  {"decay_rank", 64},
                                  {"rate_rank", 48},
                                  {"value_rank", i == 0 ? 0 : 32},
                                  {"gate_rank", 128},
                                  {"norm_epsilon", 64e-5}}));
    EXPECT_EQ(mixer.Has("v0"), i > 0) << "the first layer's is a dummy";
    EXPECT_EQ(mixer.Tensor("mix"), Block(i, "time_mix_lerp_fused.weight"));
    EXPECT_EQ(channel.mixers[0].mixer, "channel_mix");
    EXPECT_FALSE(channel.mixers[0].Has("receptance"));
  }
}

TEST(Rwkv7Plan, ChecksItsNumbers) {
  const auto error = [](const char* key, double value) {
    Header header = Rwkv7Header();
    header.Set(key, value);
    Result<ModelPlan> result = header.Plan();
    EXPECT_FALSE(result.ok()) << key << " " << value;
    return result.ok() ? "" : result.error().subject;
  };
  for (const double size : {0.0, 2.0, 6.0, 36.0, 63.5, 1024.0, -64.0}) {
    EXPECT_EQ(error("wkv.head_size", size), "rwkv7.wkv.head_size");
  }
  EXPECT_EQ(error("attention.decay_lora_rank", 0),
            "rwkv7.attention.decay_lora_rank");
  EXPECT_EQ(error("attention.gate_lora_rank", 1e9),
            "rwkv7.attention.gate_lora_rank");
  EXPECT_EQ(error("token_shift_count", 1), "rwkv7.token_shift_count");
  EXPECT_EQ(error("attention.layer_norm_epsilon", NAN),
            "rwkv7.attention.layer_norm_epsilon");
}

TEST(Rwkv7Plan, BiasesOfNormsAndTheGateAreThereOrNot) {
  Header header = Rwkv7Header();
  std::erase_if(header.tensors, [](const auto& tensor) {
    return tensor.first.ends_with(".bias") ||
           tensor.first.ends_with("time_mix_g1.weight");
  });
  Result<ModelPlan> result = header.Plan();
  ASSERT_TRUE(result.ok());
  EXPECT_TRUE(result.value().output_norm.bias.empty());
  for (const BlockPlan& block : result.value().blocks) {
    EXPECT_TRUE(block.norm.bias.empty());
    EXPECT_FALSE(block.mixers[0].Has("norm_bias"));
    EXPECT_FALSE(block.mixers[0].Has("g1"));
    EXPECT_EQ(block.mixers[0].Number("gate_rank", 0), 0);
  }
}

TEST(Arwkv7Plan, HasRmsNormsAndFeedForwards) {
  Header header = Rwkv7Header("arwkv7");
  header.Set("attention.layer_norm_rms_epsilon", 1e-6);
  header.Set("token_shift_count", 1);
  Result<ModelPlan> result = header.Plan();
  ASSERT_TRUE(result.ok()) << result.error().message;
  const ModelPlan& plan = result.value();
  EXPECT_EQ(plan.embedding_norm.kind, NormKind::kNone);
  EXPECT_EQ(plan.output_norm.kind, NormKind::kRms);
  EXPECT_EQ(plan.blocks[2].mixers[0].mixer, "rwkv7");
  EXPECT_EQ(plan.blocks[3].mixers[0].mixer, "feed_forward");
  EXPECT_EQ(plan.blocks[3].norm.weight, Block(1, "ffn_norm.weight"));
  header.Set("token_shift_count", 2);
  EXPECT_FALSE(header.Plan().ok());
}

TEST(Rwkv6Plan, FollowsTheHeader) {
  Result<ModelPlan> result = Rwkv6Header().Plan();
  ASSERT_TRUE(result.ok()) << result.error().message;
  const MixerPlan& mixer = result.value().blocks[2].mixers[0];
  EXPECT_EQ(mixer.mixer, "rwkv6");
  EXPECT_EQ(mixer.sizes, (Sizes{{"heads", 12},
                                {"kv_heads", 12},
                                {"key_dim", 64},
                                {"value_dim", 64},
                                {"mix_rank", 32},
                                {"decay_rank", 64},
                                {"norm_epsilon", 64e-5}}));
  EXPECT_EQ(mixer.Tensor("bonus"), "blk.1.time_mix_first.weight");
  EXPECT_EQ(result.value().blocks[3].mixers[0].Tensor("receptance_mix"),
            "blk.1.channel_mix_lerp_r.weight");
}

TEST(Rwkv6Plan, KeysAndValuesMayDiffer) {
  Header header = Rwkv6Header();
  header.Set("attention.head_count", 4);
  header.Set("attention.key_length", 96);
  header.Set("attention.value_length", 192);
  header.Set("attention.group_norm_epsilon", 1e-5);
  Result<ModelPlan> result = header.Plan();
  ASSERT_TRUE(result.ok()) << result.error().message;
  const MixerPlan& mixer = result.value().blocks[0].mixers[0];
  EXPECT_EQ(mixer.Size("heads"), 4);
  EXPECT_EQ(mixer.Size("key_dim"), 96);
  EXPECT_EQ(mixer.Size("value_dim"), 192);
  EXPECT_EQ(mixer.Number("norm_epsilon"), 1e-5);
  for (const auto& [key, value] : {std::pair("attention.key_length", 30.0),
                                   std::pair("attention.value_length", 1e6),
                                   std::pair("attention.head_count", 4096.0)}) {
    Header wrong = header;
    wrong.Set(key, value);
    result = wrong.Plan();
    ASSERT_FALSE(result.ok()) << key;
    EXPECT_EQ(result.error().subject, std::string("rwkv6.") + key);
  }
}

// x / 2^n + f(x) / 2^n is (x + f(x)) / 2^n: what halves the stream may as well
// not, where what is added doubles and norms' epsilons grow fourfold.
TEST(Rwkv6Plan, HalvingsOfTheStreamAreMovedIntoWhatIsAdded) {
  Header header = Rwkv6Header();
  header.Set("rescale_every_n_layers", 2);
  Result<ModelPlan> result = header.Plan();
  ASSERT_TRUE(result.ok());
  const std::vector<BlockPlan>& blocks = result.value().blocks;
  for (const int i : {0, 1, 2, 3}) {
    EXPECT_EQ(blocks[i].residual_scale, 1);
    EXPECT_EQ(blocks[i].norm.epsilon, 1e-5);
  }
  for (const int i : {4, 5}) {
    EXPECT_EQ(blocks[i].residual_scale, 2);
    EXPECT_EQ(blocks[i].norm.epsilon, 4e-5);
  }
  EXPECT_EQ(result.value().output_norm.epsilon, 4e-5);
  header.Set("rescale_every_n_layers", 1);
  header.Set("block_count", 40);
  result = header.Plan();
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().subject, "rwkv6.rescale_every_n_layers");
}

TEST(Rwkv6Qwen2Plan, SharesKeysAndValues) {
  Header header = Rwkv6Header("rwkv6qwen2");
  header.Set("attention.layer_norm_rms_epsilon", 1e-6);
  header.Set("token_shift_count", 1);
  header.Set("attention.head_count_kv", 4);
  for (int i = 0; i < 3; ++i) {
    header.Add(Block(i, "time_mix_key.bias"), 256, 1);
  }
  Result<ModelPlan> result = header.Plan();
  ASSERT_TRUE(result.ok()) << result.error().message;
  const MixerPlan& mixer = result.value().blocks[0].mixers[0];
  EXPECT_EQ(mixer.Size("heads"), 12);
  EXPECT_EQ(mixer.Size("kv_heads"), 4);
  EXPECT_FALSE(mixer.Has("bonus"));
  EXPECT_EQ(mixer.Tensor("key_bias"), "blk.0.time_mix_key.bias");
  EXPECT_EQ(result.value().blocks[1].mixers[0].mixer, "feed_forward");
  header.Set("attention.head_count_kv", 5);
  EXPECT_FALSE(header.Plan().ok());
  header.Set("attention.head_count_kv", 0);
  result = header.Plan();
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result.value().blocks[0].mixers[0].Size("kv_heads"), 12);
  header.Set("rescale_every_n_layers", 6);
  EXPECT_FALSE(header.Plan().ok());
}

}  // namespace
}  // namespace fastweights
