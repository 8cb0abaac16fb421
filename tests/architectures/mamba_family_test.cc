// SPDX-License-Identifier: MIT

// Plans of the architectures with state space layers, from the headers of the
// golden models and what is changed in them.

#include <cmath>
#include <string>
#include <vector>

#include "architectures/architecture.h"
#include "gguf_file.h"
#include "golden_file.h"

namespace fastweights {
namespace {

struct Header {
  explicit Header(const std::string& model)
      : file(ReadGolden("models/" + model + "/model-f32.gguf")),
        config(file.config()),
        name(*config.Text("general.architecture")) {
    for (const GgufFile::Tensor& tensor : file.tensors()) {
      tensors[tensor.shape.name] = tensor.shape;
    }
  }

  void Set(const std::string& key, std::vector<double> values) {
    config.SetNumbers(name + "." + key, std::move(values));
  }
  void Add(const std::string& tensor, int columns, int rows) {
    tensors[tensor] = {tensor, 0, columns, rows};
  }
  ModelPlan Plan() const {
    Result<ModelPlan> plan = MakePlan(config, tensors);
    EXPECT_TRUE(plan.ok()) << plan.error().message;
    return plan.ok() ? std::move(plan.value()) : ModelPlan();
  }
  Error Refusal() const {
    const Result<ModelPlan> plan = MakePlan(config, tensors);
    EXPECT_FALSE(plan.ok());
    return plan.ok() ? Error() : plan.error();
  }

  GgufFile file;
  Config config;
  std::string name;
  TensorTable tensors;
};

// "mamba2 feed_forward ...": the mixers of each block, '+' between those side
// by side.
std::string Mixers(const ModelPlan& plan) {
  std::string all;
  for (const BlockPlan& block : plan.blocks) {
    all += all.empty() ? "" : " ";
    for (const MixerPlan& mixer : block.mixers) {
      all += (&mixer == block.mixers.data() ? "" : "+") + mixer.mixer;
    }
  }
  return all;
}

TEST(MambaFamily, BlocksAreWhatTheTensorsSay) {
  const std::string fed = "mamba2 feed_forward ";
  const std::string both = "softmax_attention+mamba2 feed_forward";
  EXPECT_EQ(Mixers(Header("mamba").Plan()), "mamba mamba mamba mamba");
  EXPECT_EQ(Mixers(Header("mamba2").Plan()), "mamba2 mamba2 mamba2 mamba2");
  EXPECT_EQ(Mixers(Header("granite_moe_hybrid").Plan()),
            fed + fed + fed + "softmax_attention feed_forward");
  EXPECT_EQ(Mixers(Header("falcon_h1").Plan()),
            both + " " + both + " " + both + " " + both);
  EXPECT_EQ(Mixers(Header("jamba_tied").Plan()),
            "mamba feed_forward softmax_attention feed_forward mamba "
            "feed_forward");
  EXPECT_EQ(Mixers(Header("nemotron_h").Plan()),
            "mamba2 feed_forward mamba2 softmax_attention");
}

TEST(MambaFamily, Mamba2LayerHasItsSizesAndTensors) {
  const ModelPlan plan = Header("mamba2_g2").Plan();
  const MixerPlan& mixer = plan.blocks[1].mixers[0];
  EXPECT_EQ(plan.blocks[1].norm.weight, "blk.1.attn_norm.weight");
  EXPECT_EQ(mixer.Size("heads"), 8);
  EXPECT_EQ(mixer.Size("head_dim"), 16);
  EXPECT_EQ(mixer.Size("groups"), 2);
  EXPECT_EQ(mixer.Size("state_dim"), 24);
  EXPECT_EQ(mixer.Size("norm_groups"), 2);
  EXPECT_EQ(mixer.Size("norm_before_gate"), 0);
  EXPECT_EQ(mixer.Tensor("norm"), "blk.1.ssm_norm.weight");
  EXPECT_EQ(mixer.Tensor("conv_bias"), "blk.1.ssm_conv1d.bias");
  EXPECT_FALSE(mixer.Has("in_bias"));
}

TEST(MambaFamily, WhatIsNormalisedTogetherTheNormsRowsSay) {
  Header header("mamba2_g2");
  header.Add("blk.0.ssm_norm.weight", 128, 1);
  EXPECT_EQ(header.Plan().blocks[0].mixers[0].Size("norm_groups"), 1);
  header.Add("blk.0.ssm_norm.weight", 128, 3);
  EXPECT_EQ(header.Refusal().subject, "mamba2.ssm.inner_size");
}

TEST(MambaFamily, TimeStepsMayHaveLimits) {
  Header header("mamba2");
  EXPECT_FALSE(header.Plan().blocks[0].mixers[0].sizes.contains("most_dt"));
  header.Set("ssm.time_step_limit", {0.1, 0.5});
  const MixerPlan mixer = header.Plan().blocks[0].mixers[0];
  EXPECT_EQ(mixer.Number("least_dt"), 0.1);
  EXPECT_EQ(mixer.Number("most_dt"), 0.5);
  header.Set("ssm.time_step_limit", {0.1, INFINITY});
  EXPECT_EQ(header.Plan().blocks[0].mixers[0].Number("most_dt"), INFINITY);
}

TEST(MambaFamily, NemotronsTimeStepsHaveALeastOne) {
  Header header("nemotron_h");
  EXPECT_EQ(header.Plan().blocks[0].mixers[0].Number("least_dt"), 0.001);
  header.Set("ssm.time_step_limit", {0, INFINITY});
  EXPECT_EQ(header.Plan().blocks[0].mixers[0].Number("least_dt"), 0);
}

TEST(MambaFamily, HeadsOfALayerThatItsConverterDidNotKnowAreItsTensors) {
  Header header("granite_moe_hybrid");
  header.Set("attention.head_count_kv", {0, 0, 0, 0});
  EXPECT_EQ(header.Plan().blocks[6].mixers[0].Size("kv_heads"), 2);
  header.Set("attention.head_count_kv", {0, 0, 0, 1});
  EXPECT_EQ(header.Plan().blocks[6].mixers[0].Size("kv_heads"), 1);
}

TEST(MambaFamily, FalconMambasNormsHaveNoTensors) {
  const ModelPlan plan = Header("falcon_mamba_untied").Plan();
  const MixerPlan& mixer = plan.blocks[0].mixers[0];
  EXPECT_EQ(mixer.Size("has_norms"), 1);
  EXPECT_EQ(mixer.Size("dt_rank"), 3);
  EXPECT_FALSE(mixer.Has("dt_norm"));
  Header header("falcon_mamba_untied");
  header.Set("ssm.dt_b_c_rms_epsilon", {1e-3});
  EXPECT_EQ(header.Plan().blocks[0].mixers[0].Number("norm_epsilon"), 1e-3);
}

TEST(MambaFamily, GranitesFactorsAreWhereTheyBelong) {
  Header header("granite_moe_hybrid");
  ModelPlan plan = header.Plan();
  EXPECT_EQ(plan.embedding_scale, 12);
  EXPECT_EQ(plan.logit_scale, 1.0 / 8);
  for (const BlockPlan& block : plan.blocks) {
    EXPECT_NEAR(block.residual_scale, 0.22, 1e-6);
  }
  const MixerPlan attention = plan.blocks[6].mixers[0];
  EXPECT_EQ(attention.Number("scale"), 0.0625);
  EXPECT_FALSE(attention.sizes.contains("rotary_dim"));
  header.Set("rope.scaling.finetuned", {1});
  header.Set("logit_scale", {0});
  plan = header.Plan();
  EXPECT_EQ(plan.logit_scale, 1);
  EXPECT_EQ(plan.blocks[6].mixers[0].Size("rotary_dim"), 16);
  EXPECT_EQ(plan.blocks[6].mixers[0].Size("rope_neighbours"), 1);
}

TEST(MambaFamily, GranitesFeedForwardIsAsWideAsTheSharedExpert) {
  Header header("granite_moe_hybrid");
  header.Set("expert_shared_feed_forward_length", {96});
  EXPECT_EQ(header.Plan().blocks[1].mixers[0].Size("inner_dim"), 96);
  header.Set("expert_shared_feed_forward_length", {0});
  EXPECT_EQ(header.Plan().blocks[1].mixers[0].Size("inner_dim"), 128);
}

TEST(MambaFamily, FalconsFactorsAreWhereTheyBelong) {
  Header header("falcon_h1");
  header.Set("embedding_scale", {5});
  header.Set("logit_scale", {0.25});
  header.Set("attention.scale", {0.5});
  header.Set("attention.output_scale", {0.75});
  header.Set("ssm.input_scales", {1, 2, 3, 4, 5});
  header.Set("ssm.output_scale", {6});
  header.Set("ssm.norm_before_gate", {1});
  header.Set("feed_forward.gate_scale", {7});
  header.Set("feed_forward.output_scale", {8});
  const ModelPlan plan = header.Plan();
  EXPECT_EQ(plan.embedding_scale, 5);
  EXPECT_EQ(plan.logit_scale, 0.25);
  const MixerPlan& attention = plan.blocks[2].mixers[0];
  EXPECT_EQ(attention.Number("scale"), 0.5);
  EXPECT_EQ(attention.Number("output_scale"), 0.75);
  const MixerPlan& mamba2 = plan.blocks[2].mixers[1];
  EXPECT_EQ(mamba2.Number("z_scale"), 1);
  EXPECT_EQ(mamba2.Number("x_scale"), 2);
  EXPECT_EQ(mamba2.Number("b_scale"), 3);
  EXPECT_EQ(mamba2.Number("c_scale"), 4);
  EXPECT_EQ(mamba2.Number("dt_scale"), 5);
  EXPECT_EQ(mamba2.Number("output_scale"), 6);
  EXPECT_EQ(mamba2.Number("norm_before_gate"), 1);
  EXPECT_FALSE(mamba2.Has("norm"));
  const MixerPlan& feed_forward = plan.blocks[3].mixers[0];
  EXPECT_EQ(feed_forward.Number("gate_scale"), 7);
  EXPECT_EQ(feed_forward.Number("down_scale"), 8);
  EXPECT_EQ(plan.blocks[3].norm.weight, "blk.1.ffn_norm");
}

TEST(MambaFamily, FalconsFactorsAreOneWhereTheFileHasNone) {
  const ModelPlan plan = Header("falcon_h1").Plan();
  EXPECT_EQ(plan.embedding_scale, 1);
  EXPECT_EQ(plan.logit_scale, 1);
  EXPECT_FALSE(plan.blocks[0].mixers[0].sizes.contains("scale"));
  for (const char* name : {"z_scale", "dt_scale", "output_scale"}) {
    EXPECT_EQ(plan.blocks[0].mixers[1].Number(name), 1) << name;
  }
}

TEST(MambaFamily, ExpertsAreRefusedByName) {
  for (const char* model : {"granite_moe_hybrid", "jamba_tied", "nemotron_h"}) {
    for (const char* tensor : {"ffn_gate_inp.weight", "ffn_up_exps.weight"}) {
      Header header(model);
      header.Add(std::string("blk.1.") + tensor, 64, 4);
      const Error error = header.Refusal();
      EXPECT_EQ(error.code, "unsupported_architecture") << model;
      EXPECT_EQ(error.subject, std::string("blk.1.") + tensor) << model;
    }
  }
}

TEST(MambaFamily, WhatChangesTheMathematicsAndIsNotReadIsRefused) {
  for (const char* model :
       {"granite_moe_hybrid", "falcon_h1", "jamba_tied", "nemotron_h"}) {
    for (const char* key : {"rope.scaling.factor", "attn_logit_softcapping",
                            "final_logit_softcapping"}) {
      Header header(model);
      header.Set(key, {32});
      const Error error = header.Refusal();
      EXPECT_EQ(error.code, "unsupported_architecture") << key;
      EXPECT_EQ(error.subject, header.name + "." + key);
    }
    Header header(model);
    header.config.SetText(header.name + ".rope.scaling.type", "yarn");
    EXPECT_NE(header.Refusal().message.find("yarn"), std::string::npos);
    header.config.SetText(header.name + ".rope.scaling.type", "none");
    header.Plan();
  }
  for (const char* model : {"granite_moe_hybrid", "falcon_h1"}) {
    Header header(model);
    header.Add("rope_freqs.weight", 8, 1);
    EXPECT_EQ(header.Refusal().subject, "rope_freqs.weight");
  }
}

struct BadNumber {
  const char* model;
  const char* key;
  std::vector<double> values;
};

TEST(MambaFamily, EveryNumberOutOfRangeIsNamed) {
  const double inf = INFINITY;
  const BadNumber bad[] = {
      {"mamba2", "block_count", {0, -1, 4097, 1.5, NAN}},
      {"mamba2", "ssm.inner_size", {0, 100, 127, 4096 * 32, 1 << 20, NAN}},
      {"mamba2", "ssm.time_step_rank", {0, -1, 4097, 2.5, NAN}},
      {"mamba2", "ssm.group_count", {0, 3, 16, 4097, 1.5, NAN}},
      {"mamba2", "ssm.state_size", {0, 18, 516, 1e9, NAN}},
      {"mamba2", "ssm.conv_kernel", {0, 1, 9, 2.5, NAN}},
      {"mamba2", "ssm.norm_before_gate", {-1, 2, 0.5, NAN}},
      {"mamba2", "ssm.time_step_limit", {-1, 1e7, inf, NAN}},
      {"mamba", "ssm.inner_size", {0, 126, 1 << 17, NAN}},
      {"mamba", "ssm.state_size", {0, 6, 516, NAN}},
      {"mamba", "ssm.time_step_rank", {0, 1 << 17, 2.5, NAN}},
      {"mamba", "ssm.conv_kernel", {0, 1, 9, NAN}},
      {"mamba", "ssm.dt_b_c_rms", {-1, 2, NAN}},
      {"mamba", "ssm.dt_b_c_rms_epsilon", {0, 1, NAN}},
      {"granite_moe_hybrid", "embedding_scale", {-1, 1e7, inf, NAN}},
      {"granite_moe_hybrid", "residual_scale", {-1, 1e7, NAN}},
      {"granite_moe_hybrid", "logit_scale", {-1, 1e7, NAN}},
      {"granite_moe_hybrid", "attention.scale", {-1, 1e7, NAN}},
      {"granite_moe_hybrid", "rope.scaling.finetuned", {-1, 2, NAN}},
      {"falcon_h1", "embedding_scale", {1e7, inf, NAN}},
      {"falcon_h1", "logit_scale", {-1e7, inf, NAN}},
      {"falcon_h1", "attention.scale", {1e7, inf, NAN}},
      {"falcon_h1", "attention.output_scale", {1e7, inf, NAN}},
      {"falcon_h1", "ssm.output_scale", {1e7, inf, NAN}},
      {"falcon_h1", "ssm.input_scales", {1e7, inf, NAN}},
      {"falcon_h1", "feed_forward.gate_scale", {1e7, inf, NAN}},
      {"falcon_h1", "feed_forward.output_scale", {1e7, inf, NAN}},
      {"falcon_h1", "rope.freq_base", {0, 1e13, NAN}},
      {"jamba_tied", "feed_forward_length", {0, 1 << 17, NAN}},
      {"nemotron_h", "nextn_predict_layers", {-1, 4, NAN}},
      {"nemotron_h", "attention.layer_norm_epsilon", {0, 1, NAN}},
  };
  for (const auto& [model, key, values] : bad) {
    for (const double value : values) {
      Header header(model);
      header.Set(key, {value});
      const Error error = header.Refusal();
      EXPECT_EQ(error.code, "invalid_metadata") << key << " = " << value;
      EXPECT_EQ(error.subject, header.name + "." + key) << value;
    }
  }
  Header header("falcon_h1");
  header.Set("ssm.input_scales", {1, 1, 1, 1});
  EXPECT_EQ(header.Refusal().subject, "falcon-h1.ssm.input_scales");
}

}  // namespace
}  // namespace fastweights
