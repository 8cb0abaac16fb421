// SPDX-License-Identifier: MIT

// What there is to see of a session's state: web/engine/state-reading.ts.

#include <emscripten/bind.h>

#include <string>
#include <vector>

#include "bindings/addresses.h"
#include "kernels/linear_recurrence/linear_recurrence.h"
#include "runtime/session.h"

namespace fastweights {
namespace {

using emscripten::val;

// One of Model::StateLayers(), flat.
struct StateLayer {
  int layer;
  std::string mixer;
  int heads, key_dim, value_dim, trace_floats;
  bool has_beta, decays, decays_channels, erases_apart;
};

val StateLayersOf(const Session& session) {
  std::vector<StateLayer> layers;
  for (const PlacedMixer* placed : session.model().StateLayers()) {
    const StateMatrices m = placed->mixer->Matrices();
    layers.push_back({placed->layer, placed->name, m.heads, m.key_dim,
                      m.value_dim, m.trace_floats, m.erase == Erase::kDelta,
                      m.decay != Decay::kNone, m.decay == Decay::kPerChannel,
                      m.erase == Erase::kLowRank});
  }
  return val::array(layers);
}

// A head's state at `out`, and its norm.
float ReadState(const Session& session, int layer, int head, unsigned out) {
  const PlacedMixer& placed = *session.model().StateLayers()[layer];
  const StateMatrices matrices = placed.mixer->Matrices();
  session.ReadState(placed, head, At<float>(out));
  return StateNorm(matrices.key_dim * matrices.value_dim, At<float>(out));
}

// 0: not known.
unsigned TraceOf(const Session& session, int layer) {
  return AddressOf(session.trace(*session.model().StateLayers()[layer]));
}

}  // namespace

EMSCRIPTEN_BINDINGS(fastweights_state) {
  emscripten::value_object<StateLayer>("StateLayer")
      .field("layer", &StateLayer::layer)
      .field("mixer", &StateLayer::mixer)
      .field("heads", &StateLayer::heads)
      .field("keyDim", &StateLayer::key_dim)
      .field("valueDim", &StateLayer::value_dim)
      .field("traceFloats", &StateLayer::trace_floats)
      .field("hasBeta", &StateLayer::has_beta)
      .field("decays", &StateLayer::decays)
      .field("decaysChannels", &StateLayer::decays_channels)
      .field("erasesApart", &StateLayer::erases_apart);

  emscripten::function("stateLayersOf", &StateLayersOf);
  emscripten::function("readState", &ReadState);
  emscripten::function("traceOf", &TraceOf);
}

}  // namespace fastweights
