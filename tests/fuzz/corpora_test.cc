// SPDX-License-Identifier: MIT

// The first inputs of the fuzzers in WebAssembly, whose sizes are 32 bits wide.
// Natively the fuzzers begin with them themselves.

#include <gtest/gtest.h>
#include <malloc.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" {
// LLVMFuzzerTestOneInput of tests/fuzz/*.cc, under a name for each.
int FuzzModel(const uint8_t* bytes, size_t size);
int FuzzSampler(const uint8_t* bytes, size_t size);
int FuzzSession(const uint8_t* bytes, size_t size);
int FuzzTiles(const uint8_t* bytes, size_t size);
}

namespace fastweights {
namespace {

struct Target {
  const char* name;
  int (*run)(const uint8_t* bytes, size_t size);
};

class CorpusTest : public testing::TestWithParam<Target> {};

std::vector<std::vector<uint8_t>> Inputs(const std::string& name) {
  std::vector<std::vector<uint8_t>> inputs;
  for (const auto& entry :
       std::filesystem::directory_iterator("tests/fuzz/corpus/" + name)) {
    std::ifstream file(entry.path(), std::ios::binary);
    inputs.emplace_back(std::istreambuf_iterator<char>(file),
                        std::istreambuf_iterator<char>());
  }
  return inputs;
}

TEST_P(CorpusTest, RunsAndKeepsNothing) {
  const auto inputs = Inputs(GetParam().name);
  ASSERT_GT(inputs.size(), 10u);
  const auto run = [&] {
    for (const auto& input : inputs) {
      GetParam().run(input.data(), input.size());
    }
  };
  // What the first run keeps are static variables.
  run();
  const auto in_use = mallinfo().uordblks;
  for (int i = 0; i < 2; ++i) run();
  EXPECT_EQ(mallinfo().uordblks, in_use);
}

INSTANTIATE_TEST_SUITE_P(
    All, CorpusTest,
    testing::Values(Target{"model", FuzzModel}, Target{"sampler", FuzzSampler},
                    Target{"session", FuzzSession}, Target{"tiles", FuzzTiles}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace fastweights
