// SPDX-License-Identifier: MIT

// What there is to see of a session's state, on every golden model.

#include <cmath>
#include <map>
#include <utility>

#include "kernel_test.h"
#include "runtime/golden_model.h"
#include "runtime/session.h"

namespace fastweights {
namespace {

// The recurrence in double precision, from what tokens are said to have done.
class Recurrences {
 public:
  void Follow(const Session& session) {
    for (const PlacedMixer* placed : session.model().StateLayers()) {
      const StateMatrices m = placed->mixer->Matrices();
      if (m.trace_floats == 0) continue;
      const float* traces = session.trace(*placed);
      ASSERT_NE(traces, nullptr);
      const LinearRecurrenceShape shape = {.decay = m.decay,
                                           .erase = m.erase,
                                           .order = KeyHeads::kTiled,
                                           .heads = m.heads,
                                           .key_heads = m.heads,
                                           .key_dim = m.key_dim,
                                           .value_dim = m.value_dim};
      for (int h = 0; h < m.heads; ++h) {
        const RecurrenceTrace trace(
            shape, const_cast<float*>(traces) + h * m.trace_floats);
        Add(shape, trace, &states_[{placed, h}]);
      }
    }
  }

  const std::vector<double>& state(const PlacedMixer* placed, int head) {
    return states_.at({placed, head});
  }

 private:
  static void Add(const LinearRecurrenceShape& shape,
                  const RecurrenceTrace& trace, std::vector<double>* state) {
    const int K = shape.key_dim, V = shape.value_dim;
    state->resize(K * V);
    for (int i = 0; i < K; ++i) {
      const double decay =
          trace.decay[shape.decay == Decay::kPerChannel ? i : 0];
      for (int j = 0; j < V; ++j) {
        double& cell = (*state)[i * V + j];
        cell *= decay;
        for (int w = 0; w < WritesPerToken(shape.erase); ++w) {
          cell += double{trace.keys[w][i]} * trace.writes[w][j];
        }
      }
    }
  }

  std::map<std::pair<const PlacedMixer*, int>, std::vector<double>> states_;
};

class SeenStates : public testing::TestWithParam<const char*> {
 protected:
  SeenStates()
      : model_(LoadModel(GetParam())), ids_(GoldenTexts(GetParam())[1].ids) {}

  std::unique_ptr<Session> NewSession() const { return Session::Make(model_); }
  void Read(Session& session, int from, int to) const {
    EXPECT_TRUE(session.Prefill(ids_.data() + from, to - from, true));
  }
  static std::vector<float> State(const Session& session,
                                  const PlacedMixer& placed, int head) {
    const StateMatrices m = placed.mixer->Matrices();
    Poisoned state(static_cast<size_t>(m.key_dim) * m.value_dim, 1);
    session.ReadState(placed, head, state.data());
    EXPECT_TRUE(state.intact());
    return {state.values().begin(), state.values().end()};
  }

  std::shared_ptr<Model> model_;
  std::vector<int> ids_;
};

TEST_P(SeenStates, AreWhatTheTokensMade) {
  const auto session = NewSession();
  Recurrences truth;
  for (int t = 0; t < 19; ++t) {
    Read(*session, t, t + 1);
    truth.Follow(*session);
    // All at once, a text has the same state.
    const auto whole = NewSession();
    Read(*whole, 0, t + 1);
    for (const PlacedMixer* placed : model_->StateLayers()) {
      const StateMatrices m = placed->mixer->Matrices();
      for (int h = 0; h < m.heads; ++h) {
        const std::vector<float> seen = State(*session, *placed, h);
        if (m.trace_floats > 0) {
          EXPECT_TRUE(Near(seen, truth.state(placed, h), 1e-5))
              << placed->name << " of layer " << placed->layer << ", token "
              << t;
        }
        EXPECT_TRUE(Same(State(*whole, *placed, h), seen));
        double size = 0;
        for (const float x : seen) size += std::abs(x);
        EXPECT_GT(size, 0);
      }
    }
  }
}

// LFM2 alone mixes tokens by softmax attention and short convolutions.
TEST_P(SeenStates, EachLayerThatHasOneIsThereInOrder) {
  const GgufFile file(ReadGolden(GoldenModelFile(GetParam())));
  const auto layers = model_->StateLayers();
  EXPECT_EQ(layers.empty(), std::string(GetParam()) == "lfm2");
  int before = -1;
  for (const PlacedMixer* placed : layers) {
    EXPECT_GT(placed->layer, before);
    before = placed->layer;
    const std::string start = "blk." + std::to_string(placed->layer) + ".";
    bool is_there = false;
    for (const GgufFile::Tensor& tensor : file.tensors()) {
      is_there = is_there || tensor.shape.name.starts_with(start);
    }
    EXPECT_TRUE(is_there) << placed->layer;
  }
}

TEST_P(SeenStates, LookingChangesNothing) {
  const auto seen = NewSession(), unseen = NewSession();
  for (const auto& session : {seen.get(), unseen.get()}) {
    Read(*session, 0, 21);
    session->sampler().Configure({.temperature = 0.8f});
    session->sampler().Seed(3);
  }
  for (int step = 0; step < 12; ++step) {
    for (const PlacedMixer* placed : model_->StateLayers()) {
      State(*seen, *placed, placed->mixer->Matrices().heads - 1);
    }
    EXPECT_EQ(seen->Next(), unseen->Next());
  }
  EXPECT_TRUE(Same({seen->state(), size_t(model_->state_floats())},
                   {unseen->state(), size_t(model_->state_floats())}));
}

TEST_P(SeenStates, TracesAreThoseOfTheLastTokenOrNone) {
  const auto layers = model_->StateLayers();
  if (layers.empty()) return;
  const PlacedMixer& placed = *layers.front();
  const StateMatrices m = placed.mixer->Matrices();
  const size_t floats = static_cast<size_t>(m.heads) * m.trace_floats;
  const auto session = NewSession();
  EXPECT_EQ(session->trace(placed), nullptr);
  Read(*session, 0, 9);
  ASSERT_NE(session->trace(placed), nullptr);
  const auto clone = session->Clone();
  EXPECT_TRUE(
      Same({clone->trace(placed), floats}, {session->trace(placed), floats}));
  const auto place = session->Mark(true);
  session->Rewind(*place);
  EXPECT_EQ(session->trace(placed), nullptr);
  Read(*session, 9, 10);
  Read(*clone, 9, 10);
  EXPECT_TRUE(
      Same({clone->trace(placed), floats}, {session->trace(placed), floats}));
  session->Reset();
  EXPECT_EQ(session->trace(placed), nullptr);
}

INSTANTIATE_TEST_SUITE_P(Golden, SeenStates, testing::ValuesIn(kGoldenModels),
                         [](const auto& info) {
                           return std::string(info.param);
                         });

}  // namespace
}  // namespace fastweights
