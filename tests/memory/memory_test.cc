// SPDX-License-Identifier: MIT
#include "memory/memory.h"

#include <string>

#include "kernel_test.h"
#include "kernels/feature_maps/feature_maps.h"

namespace fastweights {
namespace {

constexpr int kTokens = 75;  // more than a batch

// A gate in its range; anything else around zero.
float Gate(const MemoryInput& input, float x) {
  const std::string name = input.name;
  if (input.role != Role::kGate) return 0.3f * x;
  if (name == "g" || name == "w") return -0.3f * std::abs(x);
  return name == "f" || name == "i" ? x : 0.1f * std::abs(x);
}

class MemoryTest : public testing::TestWithParam<int> {
 protected:
  const RuleSpec& spec() const { return Rules()[GetParam()]; }

  // Odd sizes where the rule takes them.
  MemoryShape shape() const {
    return {.heads = 4,
            .key_heads = spec().groups ? 2 : 4,
            .key_dim = spec().pads ? 5 : 8,
            .value_dim = spec().square ? 8
                         : spec().pads ? 21
                                       : 12};
  }

  std::unique_ptr<Memory> Make() const {
    return Memory::Make(spec(), shape(), Config());
  }

  void SetUp() override {
    Random random(GetParam());
    for (const MemoryInput& input : spec().inputs) {
      inputs_.push_back(
          random.Normals(kTokens * RowsOf(input.extent, shape()).floats()));
      for (float& x : inputs_.back()) x = Gate(input, x);
    }
  }

  // The output of the tokens [first, end).
  std::vector<float> Forward(Memory& memory, int first, int end) const {
    Put(memory, first, end);
    EXPECT_TRUE(memory.Forward(end - first));
    return Output(memory, end - first);
  }

  void Put(Memory& memory, int first, int end) const {
    ASSERT_TRUE(memory.Reserve(end - first));
    for (size_t i = 0; i < inputs_.size(); ++i) {
      const int floats = RowsOf(spec().inputs[i].extent, shape()).floats();
      std::copy(inputs_[i].begin() + first * floats,
                inputs_[i].begin() + end * floats, memory.input(i));
    }
  }

  std::vector<float> Output(const Memory& memory, int tokens) const {
    const float* out = memory.output();
    return {out, out + tokens * RowsOf(Extent::kValue, shape()).floats()};
  }

  std::vector<float> State(const Memory& memory) const {
    std::vector<float> all;
    for (size_t i = 0; i < memory.arrays().size(); ++i) {
      const StateArray& array = memory.arrays()[i];
      std::vector<float> one(array.matrices * array.rows * array.columns);
      memory.GetArray(static_cast<int>(i), one.data());
      all.insert(all.end(), one.begin(), one.end());
    }
    return all;
  }

 private:
  std::vector<std::vector<float>> inputs_;
};

TEST_P(MemoryTest, ATextInPiecesIsTheText) {
  const auto whole = Make(), pieces = Make();
  const std::vector<float> expected = Forward(*whole, 0, kTokens);
  std::vector<float> out;
  for (const auto& [first, end] :
       {std::pair(0, 1), {1, 9}, {9, 74}, {74, 75}}) {
    const std::vector<float> part = Forward(*pieces, first, end);
    out.insert(out.end(), part.begin(), part.end());
  }
  EXPECT_TRUE(Near(out, expected, 5e-6));
  EXPECT_TRUE(Near(State(*pieces), State(*whole), 5e-6));
  EXPECT_EQ(pieces->position(), kTokens);
}

TEST_P(MemoryTest, ACloneAndASetStateGoOnTheSame) {
  const auto memory = Make();
  Forward(*memory, 0, 40);
  const auto clone = memory->Clone();
  const std::vector<float> state = State(*memory);
  EXPECT_TRUE(Same(State(*clone), state));
  const std::vector<float> expected = Forward(*memory, 40, kTokens);
  EXPECT_TRUE(Same(State(*clone), state));
  if (memory->page_floats() == 0) {
    const auto other = Make();
    size_t at = 0;
    for (size_t i = 0; i < other->arrays().size(); ++i) {
      const StateArray& array = other->arrays()[i];
      other->SetArray(static_cast<int>(i), state.data() + at);
      at += array.matrices * array.rows * array.columns;
    }
    other->set_position(40);
    EXPECT_TRUE(Same(Forward(*other, 40, kTokens), expected));
  }
  EXPECT_TRUE(Same(Forward(*clone, 40, kTokens), expected));
}

TEST_P(MemoryTest, ReadingChangesNothing) {
  const auto memory = Make();
  Forward(*memory, 0, kTokens);
  const std::vector<float> state = State(*memory);
  Put(*memory, 0, kTokens);
  memory->Read(kTokens);
  const std::vector<float> read = Output(*memory, kTokens);
  memory->Read(kTokens);
  EXPECT_TRUE(Same(Output(*memory, kTokens), read));
  EXPECT_TRUE(Same(State(*memory), state));
  for (const float x : read) EXPECT_TRUE(std::isfinite(x));
}

// Pages are saved whole.
TEST_P(MemoryTest, PagesBeginAsZeros) {
  const auto memory = Make();
  ASSERT_TRUE(memory->ReservePages(kTokens));
  for (int i = 0; i < memory->pages(); ++i) {
    for (size_t j = 0; j < memory->page_floats(); ++j) {
      ASSERT_EQ(memory->page(i)[j], 0.0f);
    }
  }
}

TEST_P(MemoryTest, ResetIsNew) {
  const auto memory = Make(), fresh = Make();
  Forward(*memory, 0, kTokens);
  memory->Reset();
  EXPECT_TRUE(Same(State(*memory), State(*fresh)));
  EXPECT_TRUE(Same(Forward(*memory, 0, kTokens), Forward(*fresh, 0, kTokens)));
}

INSTANTIATE_TEST_SUITE_P(Rules, MemoryTest,
                         testing::Range(0, static_cast<int>(Rules().size())),
                         [](const auto& info) {
                           return std::string(Rules()[info.param].name);
                         });

TEST(Memory, EveryFeatureMapFits) {
  for (const FeatureMapInfo& map : FeatureMaps()) {
    const RuleSpec& rule = *FindRule("linear_transformer");
    const MemoryShape shape = {2, 2, 8, 12};
    Random random(3);
    Config config;
    config.SetText("featureMap", std::string(map.name));
    config.SetNumbers("nu", {2});
    config.SetNumbers("epsilon", {0});
    for (const char* name : {"queryWeight", "keyWeight"}) {
      const std::vector<float> weight = random.Normals(2 * 8 * 8);
      config.SetNumbers(name, {weight.begin(), weight.end()});
    }
    for (const char* name : {"queryBias", "keyBias"}) {
      const std::vector<float> bias = random.Normals(2 * 8);
      config.SetNumbers(name, {bias.begin(), bias.end()});
    }
    const auto memory = Memory::Make(rule, shape, config);
    ASSERT_TRUE(memory && memory->Reserve(70)) << map.name;
    EXPECT_EQ(memory->arrays()[0].rows, map.feature_dim(8, 2)) << map.name;
    for (int i = 0; i < 3; ++i) {
      const std::vector<float> x = random.Normals(70 * 2 * (i < 2 ? 8 : 12));
      std::copy(x.begin(), x.end(), memory->input(i));
    }
    ASSERT_TRUE(memory->Forward(70));
    // One token alone is read back as it was written, whatever the map, where
    // its features are not nothing: the sum divides them away.
    memory->Reset();
    for (int i = 0; i < 8 * 2; ++i) memory->input(1)[i] = 0.3f + 0.1f * i;
    std::copy_n(memory->input(1), 8 * 2, memory->input(0));
    ASSERT_TRUE(memory->Forward(1));
    const std::vector<float> value(memory->input(2), memory->input(2) + 24);
    const std::vector<float> out(memory->output(), memory->output() + 24);
    EXPECT_TRUE(Near(out, value, 1e-4)) << map.name;
  }
}

TEST(Memory, NoRoomIsNull) {
  const MemoryShape shape = {1024, 1024, 1024, 1024};
  EXPECT_EQ(Memory::Make(*FindRule("linear"), shape, Config()), nullptr);
}

}  // namespace
}  // namespace fastweights
