// SPDX-License-Identifier: MIT

// What every line of mixers.inc must hold.

#include <cstring>

#include "formats/random_weights.h"
#include "kernel_test.h"
#include "mixers/mixer.h"
#include "mixers/small_mixers.h"
#include "odd_threads.h"

namespace fastweights {
namespace {

std::vector<const char*> Names() {
  std::vector<const char*> names = {
#define MIXER(key, make) #key,
#include "mixers/mixers.inc"
#undef MIXER
  };
  names.insert(names.end(), std::begin(kMixerVariants),
               std::end(kMixerVariants));
  return names;
}

constexpr int kTokens = 70;  // more than a page
// Of a text so long that threads share as many runs at once as there is room
// for, and then another.
constexpr int kPagesBefore = 32 * kRunTokens / kPageTokens + 3;

// A mixer with random weights whose matrices have one format.
class Subject {
 public:
  Subject(const SmallMixer& small, const Format& format) : small_(small) {
    Random random(1);
    for (const SmallTensor& tensor : small.tensors) {
      const Format& stored =
          tensor.kind == SmallTensor::kMatrix ? format : kF32Format;
      table_[tensor.role] = {tensor.role, stored.type, tensor.columns,
                             tensor.rows};
    }
    mixer_ = MakeMixer(kSmallModelDim, small.Plan(), weights_);
    EXPECT_FALSE(weights_.error()) << weights_.error()->message;
    EXPECT_EQ(weights_.sinks().size(), small.tensors.size())
        << "not every tensor of the plan is read";
    for (const SmallTensor& tensor : small.tensors) {
      const Format& stored =
          tensor.kind == SmallTensor::kMatrix ? format : kF32Format;
      const size_t count = static_cast<size_t>(tensor.rows) * tensor.columns;
      // Blocks hold codes of up to 127 beside their scale.
      const double size = stored.block > 1 ? 0.003 : 0.2;
      std::vector<uint8_t> bytes = RandomWeights(stored, count, random, size);
      if (tensor.kind == SmallTensor::kValues) {
        const std::vector<float> values =
            random.Uniforms(count, tensor.low, tensor.high);
        std::memcpy(bytes.data(), values.data(), bytes.size());
      }
      for (WeightSink* sink : weights_.sinks().at(tensor.role)) {
        EXPECT_TRUE(sink->Append(tensor.rows, bytes.data()));
      }
    }
  }

  Mixer& mixer() { return *mixer_; }
  const SmallMixer& small() const { return small_; }
  int output_columns() const { return small_.tensors.back().columns; }
  size_t thread_scratch_bytes() const {
    return std::max(weights_.thread_scratch_bytes(),
                    mixer_->ThreadScratchBytes());
  }

 private:
  TensorTable table_;
  Weights weights_{table_};
  std::unique_ptr<Mixer> mixer_;
  SmallMixer small_;
};

// A text being read by a mixer, with memory of its own. Before its first token
// may be positions that left nothing but keys and values of zeros.
class Text {
 public:
  explicit Text(Subject& subject, int pages_before = 0)
      : mixer_(subject.mixer()),
        pages_before_(pages_before),
        reads_carried_(subject.small().reads_carried),
        thread_scratch_bytes_(subject.thread_scratch_bytes()),
        state_(std::vector<float>(mixer_.StateFloats(), 0.0f), 0),
        carried_(kTokens * mixer_.CarriedFloats(), 0),
        before_(std::vector<float>(mixer_.KvPageFloats(), 0.0f), kOffset),
        pages_(2, Poisoned(mixer_.KvPageFloats(), kOffset)),
        out_(kTokens * kSmallModelDim) {}

  // Reads tokens [from, to) of x, the last `wanted` of which leave their
  // output, and all where it is zero; in place the output begins where the
  // input does. Returns the bytes of scratch that were used.
  size_t Read(const std::vector<float>& x, int from, int to, int threads = 1,
              bool in_place = false, int wanted = 0) {
    const int tokens = to - from;
    if (wanted == 0) wanted = tokens;
    Workspace workspace(threads == 1 ? std::make_unique<Threads>()
                                     : std::make_unique<OddThreads>(threads));
    EXPECT_TRUE(
        workspace.Reserve(ProductInput::ScratchBytes(tokens, kSmallModelDim) +
                              mixer_.ScratchBytes(tokens),
                          thread_scratch_bytes_));
    Arena& arena = workspace.arena();
    constexpr uint8_t kPoison = 0xff;  // NaN as a float
    uint8_t* scratch;
    {
      const ArenaScope scope(arena);
      scratch = arena.Take<uint8_t>(arena.size());
      std::memset(scratch, kPoison, arena.size());
    }
    std::vector<float*> pages(pages_before_, before_.data() - kOffset);
    for (Poisoned& page : pages_) pages.push_back(page.data() - kOffset);
    const float* rows = x.data() + from * kSmallModelDim;
    float* out = out_.data() + (in_place ? from : to - wanted) * kSmallModelDim;
    if (in_place) std::copy_n(rows, tokens * kSmallModelDim, out);
    ProductInput input(tokens, kSmallModelDim, in_place ? out : rows,
                       workspace);
    const Stretch text = {
        .tokens = tokens,
        .position = pages_before_ * kPageTokens + from,
        .wanted = wanted,
        .state = {.constant = state_.data(),
                  .cache = {.pages = pages.data(), .offset = kOffset}}};
    const int stride = mixer_.CarriedFloats();
    if (reads_carried_) {
      const std::vector<float> all = Random(3).Normals(kTokens * stride);
      std::copy_n(all.data() + from * stride, tokens * stride, carried_.data());
    }
    mixer_.Forward({{&text, 1}, carried_.data(), stride}, input, out);
    size_t used = arena.size();
    while (used > 0 && scratch[used - 1] == kPoison) --used;
    return used;
  }

  std::span<const float> out() const { return out_.values(); }
  std::span<const float> state() const { return state_.values(); }
  bool intact() const {
    return state_.intact() && before_.intact() && pages_[0].intact() &&
           pages_[1].intact() && out_.intact() && carried_.intact();
  }

 private:
  static constexpr int kOffset = 48;

  Mixer& mixer_;
  int pages_before_;
  bool reads_carried_;
  size_t thread_scratch_bytes_;
  Poisoned state_;
  Poisoned carried_;
  Poisoned before_;
  std::vector<Poisoned> pages_;
  Poisoned out_;
};

using Param = std::tuple<const char*, const Format*>;

class MixerContract : public testing::TestWithParam<Param> {
 protected:
  MixerContract()
      : subject_(FindSmallMixer(std::get<0>(GetParam())),
                 *std::get<1>(GetParam())),
        x_(Random(2).Normals(kTokens * kSmallModelDim)) {}

  Text NewText() { return Text(subject_); }

  Subject subject_;
  std::vector<float> x_;  // [kTokens, kSmallModelDim]
};

TEST_P(MixerContract, SplitIsWhole) {
  Text whole = NewText();
  whole.Read(x_, 0, kTokens);
  double size = 0.0;
  for (const float v : whole.out()) size += double{v} * v;
  EXPECT_GT(size, 1.0) << "the test's weights are too small to show anything";
  for (const int step : {1, 3, 63, 64, 65}) {
    Text parts = NewText();
    for (int t = 0; t < kTokens; t += step) {
      parts.Read(x_, t, std::min(t + step, kTokens));
    }
    EXPECT_TRUE(Near(parts.out(), whole.out(), 1e-6)) << step;
    EXPECT_TRUE(Near(parts.state(), whole.state(), 1e-6)) << step;
    EXPECT_TRUE(parts.intact()) << step;
  }
}

TEST_P(MixerContract, WantedOutputsAreWhatTheyAreAmongAll) {
  Text whole = NewText();
  for (const auto& [from, to] : {std::pair(0, 3), std::pair(3, kTokens)}) {
    whole.Read(x_, from, to);
  }
  for (const bool in_place : {false, true}) {
    for (const int wanted : {1, 2, 5, 66, 67}) {
      SCOPED_TRACE(wanted);
      Text few = NewText();
      few.Read(x_, 0, 3, 1, in_place, 1);
      few.Read(x_, 3, kTokens, in_place ? 1 : 3, in_place, wanted);
      const size_t count = static_cast<size_t>(wanted) * kSmallModelDim;
      EXPECT_TRUE(Same(in_place ? few.out().subspan(3 * kSmallModelDim, count)
                                : few.out().last(count),
                       whole.out().last(count)));
      EXPECT_TRUE(Same(few.state(), whole.state()));
      EXPECT_TRUE(few.intact());
    }
  }
}

// What the outputs of the last tokens and the state behind them depend on.
TEST_P(MixerContract, ReachesNoFurtherThanItSays) {
  const int reach = subject_.mixer().Reach();
  if (reach > kTokens / 2) return;
  Text whole = NewText(), end = NewText();
  whole.Read(x_, 0, kTokens);
  std::vector<float> reversed(x_.rbegin(), x_.rend());
  end.Read(reversed, 0, 9);
  const int wanted = 4;
  end.Read(x_, kTokens - wanted - reach, kTokens);
  const size_t count = static_cast<size_t>(wanted) * kSmallModelDim;
  EXPECT_TRUE(Same(end.out().last(count), whole.out().last(count)));
  EXPECT_TRUE(Same(end.state(), whole.state()));
}

TEST_P(MixerContract, LaterTokensDoNotReachEarlierOutputs) {
  Text text = NewText();
  text.Read(x_, 0, kTokens);
  for (const int t : {1, 40, kTokens - 1}) {
    std::vector<float> x = x_;
    const auto from = x.begin() + t * kSmallModelDim;
    std::reverse(from, x.end());
    Text changed = NewText();
    changed.Read(x, 0, kTokens);
    const size_t before = static_cast<size_t>(t) * kSmallModelDim;
    EXPECT_TRUE(Same(changed.out().first(before), text.out().first(before)));
    EXPECT_FALSE(
        Near(changed.out().subspan(before), text.out().subspan(before), 1e-2));
  }
}

TEST_P(MixerContract, EarlierTokensReachLaterOutputs) {
  if (!subject_.small().mixes_tokens) return;
  Text text = NewText(), changed = NewText();
  std::vector<float> x = x_;
  const auto earlier =
      x.begin() + (8 - subject_.small().reach) * kSmallModelDim;
  std::reverse(earlier, earlier + kSmallModelDim);
  text.Read(x_, 0, 9);
  changed.Read(x, 0, 9);
  const size_t from = 8 * kSmallModelDim;
  EXPECT_FALSE(Near(changed.out().subspan(from, kSmallModelDim),
                    text.out().subspan(from, kSmallModelDim), 1e-4));
}

TEST_P(MixerContract, TextsDoNotTouchEachOther) {
  Text one = NewText(), other = NewText(), alone = NewText();
  std::vector<float> reversed(x_.rbegin(), x_.rend());
  for (int t = 0; t < kTokens; t += 10) {
    one.Read(x_, t, t + 10);
    other.Read(reversed, t, t + 10);
    alone.Read(x_, t, t + 10);
  }
  EXPECT_TRUE(Same(one.out(), alone.out()));
  EXPECT_TRUE(Same(one.state(), alone.state()));
}

TEST_P(MixerContract, ReadsAndWritesOnlyWhatItWasGiven) {
  for (const int tokens : {1, 4, kTokens}) {
    Text text = NewText();
    text.Read(x_, 0, tokens);
    const auto written =
        text.out().first(static_cast<size_t>(tokens) * kSmallModelDim);
    for (const float v : written) ASSERT_TRUE(std::isfinite(v));
    for (const float v : text.out().subspan(written.size())) {
      ASSERT_TRUE(std::isnan(v)) << "wrote past the last token";
    }
    for (const float v : text.state()) ASSERT_TRUE(std::isfinite(v));
    EXPECT_TRUE(text.intact());
  }
}

// Tasks know nothing of each other: neither who runs them nor when matters.
TEST_P(MixerContract, ThreadsDoNotChangeABit) {
  for (const int pages_before : {0, kPagesBefore}) {
    const std::pair<int, int> parts[] = {
        {0, 51}, {51, 67}, {67, kTokens - 1}, {kTokens - 1, kTokens}};
    Text alone(subject_, pages_before);
    for (const auto& [from, to] : parts) alone.Read(x_, from, to);
    for (const int threads : {2, 3, 8}) {
      Text shared(subject_, pages_before);
      for (const auto& [from, to] : parts) shared.Read(x_, from, to, threads);
      EXPECT_TRUE(Same(shared.out(), alone.out())) << threads;
      EXPECT_TRUE(Same(shared.state(), alone.state())) << threads;
      EXPECT_TRUE(shared.intact()) << threads;
    }
  }
}

TEST_P(MixerContract, OutputMayTakeThePlaceOfTheInput) {
  Text apart = NewText(), in_place = NewText();
  for (const auto& [from, to] : {std::pair(0, 5), std::pair(5, 6)}) {
    apart.Read(x_, from, to);
    in_place.Read(x_, from, to, 1, true);
  }
  const size_t read = 6 * kSmallModelDim;
  EXPECT_TRUE(Same(in_place.out().first(read), apart.out().first(read)));
}

// Float products need none of the room for quantised inputs.
TEST_P(MixerContract, ScratchIsWhatIsNeeded) {
  const bool is_float = std::get<1>(GetParam()) == &kF32Format;
  for (const int tokens : {1, kTokens}) {
    const size_t inputs =
        (1 + subject_.small().own_inputs) *
            ProductInput::ScratchBytes(tokens, kSmallModelDim) +
        ProductInput::ScratchBytes(tokens, subject_.output_columns());
    const size_t promised = ProductInput::ScratchBytes(tokens, kSmallModelDim) +
                            subject_.mixer().ScratchBytes(tokens);
    // Where there is most to share among threads.
    Text text(subject_, kPagesBefore);
    const size_t used = text.Read(x_, 0, tokens, 8);
    EXPECT_LE(used, promised);
    EXPECT_GE(used, 0.65 * (is_float ? promised - inputs : promised));
  }
}

INSTANTIATE_TEST_SUITE_P(All, MixerContract,
                         testing::Combine(testing::ValuesIn(Names()),
                                          testing::Values(&kF32Format,
                                                          &kQ8_0Format)),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param)) + "_" +
                                  std::get<1>(info.param)->name;
                         });

TEST(Mixers, UnknownKeyMakesNone) {
  const TensorTable table;
  Weights weights(table);
  MixerPlan plan;
  plan.mixer = "hyena";
  EXPECT_EQ(MakeMixer(64, plan, weights), nullptr);
}

}  // namespace
}  // namespace fastweights
