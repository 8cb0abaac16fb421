// SPDX-License-Identifier: MIT
#include "formats/qc8_linear.h"

#include <limits>

#include "formats/random_weights.h"
#include "kernel_test.h"
#include "odd_threads.h"

namespace fastweights {
namespace {

// Int8 codes of x [rows, columns] and a scale a row, by the definition: weights
// around zero, inputs with a zero point, which is taken off here.
struct Codes {
  Codes(const std::vector<float>& x, int rows, int columns, bool is_input) {
    for (int r = 0; r < rows; ++r) {
      const std::span<const float> row =
          std::span(x).subspan(static_cast<size_t>(r) * columns, columns);
      const float low = std::min(0.0f, *std::ranges::min_element(row));
      const float high = std::max(0.0f, *std::ranges::max_element(row));
      const float width = is_input ? high - low : std::max(-low, high);
      const float steps = is_input ? 255.0f : 127.0f;
      const float inverse = width > 0.0f ? steps / width : 0.0f;
      const float zero =
          is_input ? std::nearbyint(-128.0f - low * inverse) : 0.0f;
      scales.push_back(width / steps);
      for (const float v : row) {
        const float code = std::nearbyint(v * inverse + zero);
        codes.push_back(std::clamp(code, -128.0f, 127.0f) - zero);
      }
    }
  }
  std::vector<double> codes;
  std::vector<float> scales;
};

struct Matrix {
  Matrix(const Format& format, int rows, int columns)
      : rows(rows), columns(columns), linear(format, rows, columns) {
    Random random(1);
    const size_t count = static_cast<size_t>(rows) * columns;
    bytes = RandomWeights(format, count, random);
    weights.resize(count);
    format.dequantise(bytes.data(), static_cast<int>(count), weights.data());
  }
  explicit Matrix(const std::vector<float>& weights, int rows)
      : rows(rows),
        columns(static_cast<int>(weights.size()) / rows),
        linear(kF32Format, rows, columns),
        bytes(weights.size() * sizeof(float)),
        weights(weights) {
    std::memcpy(bytes.data(), weights.data(), bytes.size());
  }

  std::vector<float> Product(int tokens, const std::vector<float>& x,
                             std::unique_ptr<Threads> threads) {
    Workspace workspace(std::move(threads));
    EXPECT_TRUE(workspace.Reserve(ProductInput::ScratchBytes(tokens, columns),
                                  linear.ThreadScratchBytes()));
    ProductInput input(tokens, columns, x.data(), workspace);
    Poisoned out(static_cast<size_t>(tokens) * rows, 1);
    linear.Multiply(input, out.data(), rows);
    EXPECT_TRUE(out.intact());
    return {out.values().begin(), out.values().end()};
  }
  std::vector<float> Product(int tokens, const std::vector<float>& x) {
    return Product(tokens, x, std::make_unique<Threads>());
  }

  int rows, columns;
  Qc8Linear linear;
  std::vector<uint8_t> bytes;
  std::vector<float> weights;
};

TEST(Qc8Linear, IsTheProductOfTheCodesForEveryShape) {
  for (const int rows : {1, 3, 4, 7, 8, 9, 33, 70}) {
    for (const int columns : {1, 5, 8, 15, 16, 17, 33, 301}) {
      Matrix matrix(kF32Format, rows, columns);
      ASSERT_TRUE(matrix.linear.Append(rows, matrix.bytes.data()));
      const Codes w(matrix.weights, rows, columns, false);
      for (const int tokens : {1, 2, 3, 4, 5, 6, 7, 8, 9}) {
        const std::vector<float> input =
            Random(tokens).Normals(tokens * columns);
        const Codes x(input, tokens, columns, true);
        std::vector<double> expected(tokens * rows, 0.0);
        for (int i = 0; i < tokens * rows; ++i) {
          const int t = i / rows, r = i % rows;
          for (int c = 0; c < columns; ++c) {
            expected[i] += w.codes[r * columns + c] * x.codes[t * columns + c];
          }
          expected[i] *= double{w.scales[r]} * x.scales[t];
        }
        EXPECT_TRUE(Near(matrix.Product(tokens, input), expected, 3e-7))
            << tokens << " tokens by " << rows << " x " << columns;
      }
    }
  }
}

TEST(Qc8Linear, OfEveryFormatIsNearTheProductWithTheFilesWeights) {
  constexpr int kRows = 64, kColumns = 512, kTokens = 5;
  for (const Format* format : {
#define FORMAT(name) &k##name##Format,
#include "formats/formats.inc"
#undef FORMAT
       }) {
    Matrix matrix(*format, kRows, kColumns);
    ASSERT_TRUE(matrix.linear.Append(kRows, matrix.bytes.data()));
    const std::vector<float> x = Random(2).Normals(kTokens * kColumns);
    std::vector<double> expected(kTokens * kRows, 0.0);
    for (int i = 0; i < kTokens * kRows; ++i) {
      for (int c = 0; c < kColumns; ++c) {
        expected[i] += double{matrix.weights[i % kRows * kColumns + c]} *
                       x[i / kRows * kColumns + c];
      }
    }
    EXPECT_TRUE(Near(matrix.Product(kTokens, x), expected, 0.02))
        << format->name;
  }
}

TEST(Qc8Linear, GatherIsCodesTimesScales) {
  for (const int columns : {1, 7, 16, 50, 301}) {
    constexpr int kRows = 19;
    Matrix matrix(kBf16Format, kRows, columns);
    ASSERT_TRUE(matrix.linear.Append(kRows, matrix.bytes.data()));
    const Codes w(matrix.weights, kRows, columns, false);
    for (int row = 0; row < kRows; ++row) {
      Poisoned out(columns);
      matrix.linear.Gather(row, out.data());
      EXPECT_TRUE(out.intact());
      for (int c = 0; c < columns; ++c) {
        ASSERT_EQ(
            out.values()[c],
            w.scales[row] * static_cast<float>(w.codes[row * columns + c]));
      }
    }
  }
}

TEST(Qc8Linear, TakesAByteAWeight) {
  const Qc8Linear linear(kF32Format, 512, 1024);
  EXPECT_GE(linear.bytes(), 512u * 1024u);
  EXPECT_LE(linear.bytes(), 512u * (1024u + 12u));
}

TEST(Qc8Linear, ThreadsShareWhatArrives) {
  constexpr int kRows = 135, kColumns = 64;
  Matrix alone(kQ8_0Format, kRows, kColumns);
  Matrix shared(kQ8_0Format, kRows, kColumns);
  ASSERT_TRUE(alone.linear.Append(kRows, alone.bytes.data()));
  OddThreads threads(3);
  int filled = 0;
  for (const int step : {3, 70, 55, 7}) {
    const size_t at = kQ8_0Format.RowBytes(kColumns) * filled;
    ASSERT_TRUE(shared.linear.Append(step, shared.bytes.data() + at, threads));
    filled += step;
  }
  const std::vector<float> x = Random(5).Normals(3 * kColumns);
  EXPECT_TRUE(Same(shared.Product(3, x), alone.Product(3, x)));
}

TEST(Qc8Linear, WhatLayInMemoryMultipliesAlike) {
  constexpr int kRows = 21, kColumns = 64;
  Matrix first(kQ8_0Format, kRows, kColumns);
  Matrix later(kQ8_0Format, kRows, kColumns);
  ASSERT_TRUE(first.linear.Append(kRows, first.bytes.data()));
  PackedParts from, to;
  ASSERT_TRUE(first.linear.AddPacked(&from));
  ASSERT_TRUE(later.linear.AddPacked(&to));
  ASSERT_EQ(from[0].size(), first.linear.bytes());
  std::copy(from[0].begin(), from[0].end(), to[0].begin());
  later.linear.FinishPacked();
  const std::vector<float> x = Random(5).Normals(3 * kColumns);
  EXPECT_TRUE(Same(later.Product(3, x), first.Product(3, x)));
}

TEST(Qc8Linear, AppendTakesRowsInAnyPieces) {
  constexpr int kRows = 33, kColumns = 64;
  Matrix whole(kQ8_0Format, kRows, kColumns);
  Matrix pieces(kQ8_0Format, kRows, kColumns);
  ASSERT_TRUE(whole.linear.Append(kRows, whole.bytes.data()));
  int filled = 0;
  for (const int step : {1, 0, 2, 15, 14, 1}) {
    const size_t at = kQ8_0Format.RowBytes(kColumns) * filled;
    // The bytes may be reused after: nothing may be read from them later.
    std::vector<uint8_t> staging(pieces.bytes.begin() + at, pieces.bytes.end());
    ASSERT_TRUE(pieces.linear.Append(step, staging.data()));
    filled += step;
  }
  const std::vector<float> x = Random(5).Normals(3 * kColumns);
  EXPECT_TRUE(Same(pieces.Product(3, x), whole.Product(3, x)));
}

TEST(Qc8Linear, NeitherBatchNorThreadsChangeAToken) {
  constexpr int kRows = 301, kColumns = 1000, kTokens = 9;
  Matrix matrix(kF16Format, kRows, kColumns);
  ASSERT_TRUE(matrix.linear.Append(kRows, matrix.bytes.data()));
  const std::vector<float> x = Random(6).Normals(kTokens * kColumns);
  const std::vector<float> whole = matrix.Product(kTokens, x);
  EXPECT_TRUE(
      Same(matrix.Product(kTokens, x, std::make_unique<OddThreads>(2)), whole));
  for (int t = 0; t < kTokens; ++t) {
    const auto row = x.begin() + t * kColumns;
    EXPECT_TRUE(Same(matrix.Product(1, {row, row + kColumns}),
                     std::span(whole).subspan(t * kRows, kRows)));
  }
}

TEST(Qc8Linear, RowsOfZerosAndOfTinyWeightsAreZero) {
  std::vector<float> weights(2 * 32, 0.0f);
  std::fill_n(weights.begin() + 32, 32, 1e-38f);
  Matrix matrix(weights, 2);
  ASSERT_TRUE(matrix.linear.Append(2, matrix.bytes.data()));
  for (const float v : matrix.Product(1, Random(7).Normals(32))) {
    EXPECT_EQ(v, 0.0f);
  }
}

TEST(Qc8Linear, ARowWithAnInfinityIsNotFinite) {
  std::vector<float> weights(2 * 32, 1.0f);
  weights[40] = -std::numeric_limits<float>::infinity();
  Matrix matrix(weights, 2);
  ASSERT_TRUE(matrix.linear.Append(2, matrix.bytes.data()));
  const std::vector<float> out = matrix.Product(1, std::vector(32, 1.0f));
  EXPECT_NEAR(out[0], 32.0f, 1e-5f);
  EXPECT_FALSE(std::isfinite(out[1]));
}

}  // namespace
}  // namespace fastweights
