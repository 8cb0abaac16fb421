// SPDX-License-Identifier: MIT
#include "architectures/mamba_parts.h"

#include <cmath>

namespace fastweights {

MixerPlan Mamba2Part(HyperParameters& keys, const TensorTable& tensors,
                     const std::string& block) {
  const int inner = keys.Size("ssm.inner_size", 4, kMaxDim);
  const int heads = keys.Size("ssm.time_step_rank", 1, kMaxHeads);
  const int groups = keys.Size("ssm.group_count", 1, kMaxHeads);
  const int state_dim = keys.Size("ssm.state_size", 4, kMaxHeadDim);
  keys.Require(inner % (4 * heads) == 0 && inner / heads <= kMaxHeadDim,
               "ssm.inner_size",
               "does not give heads of a multiple of 4, at most 512");
  keys.Require(heads % groups == 0, "ssm.group_count",
               "does not divide the number of heads");
  keys.Require(groups * state_dim <= kMaxDim, "ssm.group_count",
               "gives too many channels of B and C");
  keys.Require(state_dim % 4 == 0, "ssm.state_size", "is not a multiple of 4");
  MixerPlan plan = {
      .mixer = "mamba2",
      .sizes = {{"heads", heads},
                {"head_dim", inner / heads},
                {"groups", groups},
                {"state_dim", state_dim},
                {"conv_width", keys.Size("ssm.conv_kernel", 2, kMaxConvWidth)},
                {"norm_epsilon", RmsEpsilon(keys)},
                {"norm_before_gate",
                 keys.Size("ssm.norm_before_gate", 0, 1, 0)}},
      .tensors = {{"in", block + "ssm_in.weight"},
                  {"conv", block + "ssm_conv1d.weight"},
                  {"dt_bias", block + "ssm_dt.bias"},
                  {"decay", block + "ssm_a"},
                  {"skip", block + "ssm_d"},
                  {"output", block + "ssm_out.weight"}},
  };
  if (keys.Has("ssm.time_step_limit")) {
    const double least = keys.Number("ssm.time_step_limit", 0, 1e6, {}, 0);
    plan.sizes["least_dt"] = least;
    plan.sizes["most_dt"] =
        keys.Number("ssm.time_step_limit", least, INFINITY, {}, 1);
  }
  // A row for each group of channels that are normalised apart.
  const auto norm = tensors.find(block + "ssm_norm.weight");
  if (norm != tensors.end()) {
    plan.tensors["norm"] = norm->first;
    plan.sizes["norm_groups"] = norm->second.rows;
    keys.Require(norm->second.rows >= 1 && inner % norm->second.rows == 0,
                 "ssm.inner_size", "is not a multiple of the norm's groups");
  }
  AddIfThere(tensors, "in_bias", block + "ssm_in.bias", &plan);
  AddIfThere(tensors, "conv_bias", block + "ssm_conv1d.bias", &plan);
  AddIfThere(tensors, "output_bias", block + "ssm_out.bias", &plan);
  return plan;
}

MixerPlan MambaPart(HyperParameters& keys, const TensorTable& tensors,
                    const std::string& block) {
  const int inner = keys.Size("ssm.inner_size", 4, kMaxDim);
  const int state_dim = keys.Size("ssm.state_size", 4, kMaxHeadDim);
  keys.Require(inner % 4 == 0, "ssm.inner_size", "is not a multiple of 4");
  keys.Require(state_dim % 4 == 0, "ssm.state_size", "is not a multiple of 4");
  MixerPlan plan = {
      .mixer = "mamba",
      .sizes = {{"inner", inner},
                {"state_dim", state_dim},
                {"dt_rank", keys.Size("ssm.time_step_rank", 1, kMaxDim)},
                {"conv_width", keys.Size("ssm.conv_kernel", 2, kMaxConvWidth)},
                {"has_norms", keys.Size("ssm.dt_b_c_rms", 0, 1, 0)},
                {"norm_epsilon", keys.Number("ssm.dt_b_c_rms_epsilon", 1e-12,
                                             0.1, RmsEpsilon(keys))}},
      .tensors = {{"in", block + "ssm_in.weight"},
                  {"conv", block + "ssm_conv1d.weight"},
                  {"x", block + "ssm_x.weight"},
                  {"dt", block + "ssm_dt.weight"},
                  {"dt_bias", block + "ssm_dt.bias"},
                  {"decay", block + "ssm_a"},
                  {"skip", block + "ssm_d"},
                  {"output", block + "ssm_out.weight"}},
  };
  AddIfThere(tensors, "in_bias", block + "ssm_in.bias", &plan);
  AddIfThere(tensors, "conv_bias", block + "ssm_conv1d.bias", &plan);
  AddIfThere(tensors, "output_bias", block + "ssm_out.bias", &plan);
  return plan;
}

}  // namespace fastweights
