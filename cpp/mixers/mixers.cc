// SPDX-License-Identifier: MIT
#include "mixers/mixer.h"

namespace fastweights {

#define MIXER(key, make) \
  std::unique_ptr<Mixer> make(int, const MixerPlan&, Weights&);
#include "mixers/mixers.inc"
#undef MIXER

std::unique_ptr<Mixer> MakeMixer(int model_dim, const MixerPlan& plan,
                                 Weights& weights) {
#define MIXER(key, make) \
  if (plan.mixer == #key) return make(model_dim, plan, weights);
#include "mixers/mixers.inc"
#undef MIXER
  return nullptr;
}

}  // namespace fastweights
