// SPDX-License-Identifier: MIT

// What formats make of weights that are quantised as they load.

#include <limits>

#include "formats/matrix_form.h"
#include "formats/naive.h"
#include "formats/quantise_int8.h"
#include "golden_file.h"
#include "kernel_test.h"

namespace fastweights {
namespace {

std::vector<uint8_t> Quantised(const Format& format,
                               const std::vector<float>& values) {
  const int count = static_cast<int>(values.size());
  std::vector<uint8_t> bytes(format.RowBytes(count));
  format.quantise(values.data(), count, bytes.data());
  return bytes;
}

// By tools/gguf, which writes the files that tests and benchmarks run.
TEST(Quantise, GivesTheGoldenBytes) {
  const std::string file = ReadGolden("quantised/values.bin");
  std::vector<float> values(file.size() / sizeof(float));
  std::memcpy(values.data(), file.data(), file.size());
  const std::pair<const Format*, const char*> goldens[] = {
      {&kQ8_0Format, "q8_0"},
      {&kQ4_0Format, "q4_0"},
      {&kQ5_0Format, "q5_0"},
      {&kQ4KFormat, "q4_k"}};
  for (const auto& [format, name] : goldens) {
    const std::string golden =
        ReadGolden(std::string("quantised/") + name + ".bin");
    const std::vector<uint8_t> bytes = Quantised(*format, values);
    ASSERT_EQ(bytes.size(), golden.size()) << name;
    for (size_t i = 0; i < bytes.size(); ++i) {
      ASSERT_EQ(bytes[i], static_cast<uint8_t>(golden[i]))
          << name << " byte " << i % format->block_bytes << " of block "
          << i / format->block_bytes;
    }
  }
}

TEST(Quantise, EveryFormThatMatricesTakeHasOne) {
  for (const MatrixForm form :
       {MatrixForm::kQ8_0, MatrixForm::kQ4_0, MatrixForm::kQ4_K}) {
    EXPECT_FALSE(FormatsOf(form).empty());
    for (const Format* format : FormatsOf(form)) {
      EXPECT_NE(format->quantise, nullptr) << format->name;
    }
  }
}

TEST(Quantise, WhatIsNotFiniteStaysSo) {
  for (const Format* format :
       {&kQ8_0Format, &kQ4_0Format, &kQ5_0Format, &kQ4KFormat}) {
    for (const float bad : {std::numeric_limits<float>::infinity(),
                            -std::numeric_limits<float>::infinity(),
                            std::numeric_limits<float>::quiet_NaN()}) {
      std::vector<float> values = Random(1).Normals(format->block);
      values[17] = bad;
      const std::vector<uint8_t> bytes = Quantised(*format, values);
      const std::vector<double> found =
          DequantiseNaive(format->type, bytes.data(), format->block);
      EXPECT_FALSE(std::isfinite(found[17])) << format->name << " " << bad;
    }
  }
}

TEST(QuantiseInt8, WhatIsNotFiniteLeavesNoNumber) {
  for (const int count : {32, 19}) {
    for (const float bad : {INFINITY, -INFINITY, NAN}) {
      for (int at = 0; at < count; ++at) {
        std::vector<float> values = Random(1).Normals(count);
        values[at] = bad;
        std::vector<int8_t> codes(count, 1);
        int32_t zero_point;
        const float scales[] = {
            QuantiseInt8(count, values.data(), codes.data()),
            QuantiseInt8(count, values.data(), codes.data(), &zero_point)};
        // Whatever the weights, zeros among them.
        for (const float scale : scales) EXPECT_FALSE(scale * 0.0f == 0.0f);
        EXPECT_EQ(codes[at], 0);
      }
    }
  }
}

TEST(Format, TellsWeightsThatAreNotFinite) {
  const Format* const formats[] = {
#define FORMAT(name) &k##name##Format,
#include "formats/formats.inc"
#undef FORMAT
  };
  for (const Format* format : formats) {
    const int count = 3 * format->block;
    Random random(7);
    for (int round = 0; round < 2000; ++round) {
      std::vector<uint8_t> bytes(format->RowBytes(count));
      for (uint8_t& byte : bytes) {
        // Many bits set: exponents of ones are wanted.
        byte = static_cast<uint8_t>(random.Bits() | random.Bits());
      }
      std::vector<double> values =
          DequantiseNaive(format->type, bytes.data(), count);
      bool all = true;
      for (const double value : values) all &= std::isfinite(value);
      // A scale that is not finite beside codes of zero may leave numbers.
      if (!all) {
        EXPECT_FALSE(format->are_finite(bytes.data(), count)) << format->name;
      } else if (format->tiles == nullptr) {
        EXPECT_TRUE(format->are_finite(bytes.data(), count)) << format->name;
      }
    }
    const std::vector<uint8_t> zeros(format->RowBytes(count));
    EXPECT_TRUE(format->are_finite(zeros.data(), count)) << format->name;
  }
}

TEST(FormatInMemory, IsTheFormsWhereTheFileHasMoreBits) {
  const auto name = [](const Format& stored, MatrixForm form, int columns) {
    return std::string(FormatInMemory(stored, form, "blk.0.a", columns).name);
  };
  using enum MatrixForm;
  EXPECT_EQ(name(kF32Format, kStored, 256), "F32");
  EXPECT_EQ(name(kF32Format, kQc8, 256), "F32");
  for (const Format* format : {&kF32Format, &kF16Format, &kBf16Format}) {
    EXPECT_EQ(name(*format, kQ8_0, 256), "Q8_0");
    EXPECT_EQ(name(*format, kQ4_0, 256), "Q4_0");
    EXPECT_EQ(name(*format, kQ4_K, 256), "Q4_K");
  }
  EXPECT_EQ(name(kQ8_0Format, kQ4_K, 256), "Q4_K");
  EXPECT_EQ(name(kQ6KFormat, kQ4_0, 256), "Q4_0");
  EXPECT_EQ(name(kQ6KFormat, kQ8_0, 256), "Q6_K");
  EXPECT_EQ(name(kQ4_0Format, kQ4_K, 256), "Q4_0");
  EXPECT_EQ(name(kQ2KFormat, kQ4_0, 256), "Q2_K");
}

TEST(FormatInMemory, RowsThatAreNoBlocksTakeSmallerOnesOrStay) {
  const auto name = [](MatrixForm form, int columns) {
    return std::string(
        FormatInMemory(kF16Format, form, "blk.0.a", columns).name);
  };
  EXPECT_EQ(name(MatrixForm::kQ4_K, 96), "Q5_0");
  EXPECT_EQ(name(MatrixForm::kQ4_K, 100), "F16");
  EXPECT_EQ(name(MatrixForm::kQ8_0, 96), "Q8_0");
  EXPECT_EQ(name(MatrixForm::kQ8_0, 100), "F16");
  EXPECT_EQ(name(MatrixForm::kQ4_0, 100), "F16");
}

TEST(FormatInMemory, LowRankGatesStay) {
  const auto stays = [](const char* name) {
    return &FormatInMemory(kF16Format, MatrixForm::kQ4_0, name, 256) ==
           &kF16Format;
  };
  EXPECT_TRUE(stays("blk.3.time_mix_w1.weight"));
  EXPECT_TRUE(stays("blk.3.time_mix_g2.weight"));
  EXPECT_TRUE(stays("blk.3.time_mix_decay_w1.weight"));
  EXPECT_FALSE(stays("blk.3.time_mix_key.weight"));
  EXPECT_FALSE(stays("blk.3.time_mix_w10.weight"));
  EXPECT_FALSE(stays("blk.3.attn_q.weight"));
}

}  // namespace
}  // namespace fastweights
