// SPDX-License-Identifier: MIT
#pragma once

// The state space layers of the Mamba family, from the keys and tensors that
// its architectures name alike.

#include <string>

#include "architectures/parts.h"

namespace fastweights {

// A Mamba-2 layer: ssm_in, ssm_conv1d, ssm_dt.bias, ssm_a, ssm_d, ssm_out, and
// what the file has of ssm_norm and of biases.
MixerPlan Mamba2Part(HyperParameters& keys, const TensorTable& tensors,
                     const std::string& block);

// A Mamba layer: ssm_in, ssm_conv1d, ssm_x, ssm_dt, ssm_a, ssm_d, ssm_out, with
// what the file has of biases; norms of dt, B and C without weights if
// ssm.dt_b_c_rms says so.
MixerPlan MambaPart(HyperParameters& keys, const TensorTable& tensors,
                    const std::string& block);

}  // namespace fastweights
