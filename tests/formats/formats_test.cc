// SPDX-License-Identifier: MIT

// What every line of formats.inc must hold.

#include <algorithm>
#include <set>

#include "formats/format.h"
#include "formats/naive.h"
#include "formats/random_weights.h"
#include "kernel_test.h"
#include "odd_threads.h"

namespace fastweights {
namespace {

const Format* const kFormats[] = {
#define FORMAT(name) &k##name##Format,
#include "formats/formats.inc"
#undef FORMAT
};

// A matrix with random weights and what is needed to multiply with it.
struct Matrix {
  Matrix(const Format& format, int rows, int columns, uint64_t seed = 1)
      : rows(rows), columns(columns) {
    Random random(seed);
    bytes = RandomWeights(format, static_cast<size_t>(rows) * columns, random);
    weights = DequantiseNaive(format.type, bytes.data(), rows * columns);
    linear = format.make_linear(format, rows, columns);
  }

  // Rows `stride` floats apart in `out`; scratch is exactly what is promised.
  void Multiply(int tokens, const std::vector<float>& x, Poisoned& out,
                int stride, Reading reading = Reading::kFewPlaces) {
    Workspace workspace;
    workspace.set_reading(reading);
    ASSERT_TRUE(workspace.Reserve(ProductInput::ScratchBytes(tokens, columns),
                                  linear->ThreadScratchBytes()));
    ProductInput input(tokens, columns, x.data(), workspace);
    linear->Multiply(input, out.data(), stride);
  }
  std::vector<float> Multiply(int tokens, const std::vector<float>& x,
                              Reading reading = Reading::kFewPlaces) {
    Poisoned out(static_cast<size_t>(tokens) * rows);
    Multiply(tokens, x, out, rows, reading);
    EXPECT_TRUE(out.intact());
    return {out.values().begin(), out.values().end()};
  }
  std::vector<double> Product(int tokens, const std::vector<float>& x) const {
    std::vector<double> out(static_cast<size_t>(tokens) * rows, 0.0);
    for (int t = 0; t < tokens; ++t) {
      for (int r = 0; r < rows; ++r) {
        for (int c = 0; c < columns; ++c) {
          out[t * rows + r] += weights[r * columns + c] * x[t * columns + c];
        }
      }
    }
    return out;
  }

  int rows, columns;
  std::vector<uint8_t> bytes;
  std::vector<double> weights;
  std::unique_ptr<Linear> linear;
};

class FormatContract : public testing::TestWithParam<const Format*> {
 protected:
  const Format& format() const { return *GetParam(); }
  // Block types meet the input in int8.
  bool quantises_input() const { return format().block > 1; }
  // The input as they see it: as Q8_K, or Q8_0, has it in float32.
  std::vector<float> Rounded(std::vector<float> x) const {
    if (!quantises_input()) return x;
    const int group = InputGroup(format().tiles->layout);
    EXPECT_EQ(group, format().block == 256 ? 256 : 32);
    for (size_t i = 0; i < x.size(); i += group) {
      const std::span values = std::span(x).subspan(i, group);
      float largest = 0.0f;
      for (const float v : values) largest = std::max(largest, std::abs(v));
      const float inverse = 127.0f / largest;
      for (float& v : values) v = std::nearbyint(v * inverse) * largest / 127;
    }
    return x;
  }
};

TEST_P(FormatContract, IsFoundByItsType) {
  EXPECT_EQ(FindFormat(format().type), &format());
}

TEST_P(FormatContract, DequantiseIsTheDefinition) {
  constexpr int kCount = 1024;
  Random random(2);
  const std::vector<uint8_t> bytes = RandomWeights(format(), kCount, random);
  Poisoned out(kCount, 1);
  format().dequantise(bytes.data(), kCount, out.data());
  const std::vector<double> expected =
      DequantiseNaive(format().type, bytes.data(), kCount);
  // Scales and codes are so short that only the last sum rounds.
  for (int i = 0; i < kCount; ++i) {
    ASSERT_EQ(out.values()[i], static_cast<float>(expected[i])) << i;
  }
  EXPECT_TRUE(out.intact());
}

// Block types round their input to int8, one scale for as many columns as
// their InputGroup: nothing else is lost, whatever the input is like.
TEST_P(FormatContract, MultiplyIsTheProductWithTheDefinition) {
  for (const auto& [rows, columns] :
       {std::pair(64, 1024), std::pair(33, 512), std::pair(7, 256)}) {
    Matrix matrix(format(), rows, columns);
    ASSERT_TRUE(matrix.linear->Append(rows, matrix.bytes.data()));
    for (const int tokens : {1, 3, 4, 5, 64}) {
      std::vector<float> x =
          Random(tokens).Normals(static_cast<size_t>(tokens) * columns);
      for (const float outlier : {1.0f, 50.0f}) {
        for (size_t i = 0; i < x.size(); i += 300) x[i] *= outlier;
        EXPECT_TRUE(Near(matrix.Multiply(tokens, x),
                         matrix.Product(tokens, Rounded(x)), 1e-6))
            << tokens << " tokens by " << rows << " x " << columns;
      }
    }
  }
}

// Whole numbers up to 127 are their own int8 codes.
TEST_P(FormatContract, InputsThatInt8HoldsGiveTheExactProduct) {
  constexpr int kRows = 33, kColumns = 512, kTokens = 5;
  Matrix matrix(format(), kRows, kColumns);
  ASSERT_TRUE(matrix.linear->Append(kRows, matrix.bytes.data()));
  Random random(3);
  std::vector<float> x(kTokens * kColumns);
  for (size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<float>(i % 32 == 7 ? 127 : random.Below(255) - 127);
  }
  EXPECT_TRUE(
      Near(matrix.Multiply(kTokens, x), matrix.Product(kTokens, x), 1e-6));
}

// The largest integers that a block can come to: all bits set or clear, the
// upper ones or the lower ones alone, and inputs of one sign that int8 ends at.
TEST_P(FormatContract, NoSumOverflows) {
  if (format().tiles == nullptr) return;
  constexpr int kRows = 64, kColumns = 512;
  constexpr uint8_t kPatterns[] = {0xff, 0x00, 0x7f, 0x80};
  Matrix matrix(format(), kRows, kColumns);
  for (size_t i = 0; i < matrix.bytes.size(); ++i) {
    const int block = static_cast<int>(i) / format().block_bytes;
    const int at = static_cast<int>(i) % format().block_bytes;
    const auto fields = HalfFields(format());
    const bool is_number = std::ranges::any_of(
        fields,
        [&](const HalfField& field) { return at / 2 == field.offset / 2; });
    if (is_number || (fields.empty() && at == 0)) continue;
    matrix.bytes[i] = kPatterns[block % 4];
  }
  matrix.weights =
      DequantiseNaive(format().type, matrix.bytes.data(), kRows * kColumns);
  ASSERT_TRUE(matrix.linear->Append(kRows, matrix.bytes.data()));
  for (const int tokens : {1, 3, 5, 64}) {
    std::vector<float> x(static_cast<size_t>(tokens) * kColumns);
    for (size_t i = 0; i < x.size(); ++i) {
      x[i] = i / kColumns % 2 ? -127.0f : 127.0f;
    }
    EXPECT_TRUE(
        Near(matrix.Multiply(tokens, x), matrix.Product(tokens, x), 1e-6));
  }
}

TEST_P(FormatContract, RowsOfOutMayBeApart) {
  // Two blocks of four tokens and one more.
  constexpr int kRows = 7, kColumns = 256, kTokens = 9, kStride = 10;
  Matrix matrix(format(), kRows, kColumns);
  ASSERT_TRUE(matrix.linear->Append(kRows, matrix.bytes.data()));
  const std::vector<float> x = Random(4).Normals(kTokens * kColumns);
  const std::vector<float> dense = matrix.Multiply(kTokens, x);
  Poisoned out(kTokens * kStride, 1);
  matrix.Multiply(kTokens, x, out, kStride);
  for (int i = 0; i < kTokens * kStride; ++i) {
    const int r = i % kStride;
    const float got = out.values()[i];
    if (r < kRows) {
      EXPECT_EQ(got, dense[i / kStride * kRows + r]);
    } else {
      EXPECT_TRUE(std::isnan(got)) << "written between rows";
    }
  }
  EXPECT_TRUE(out.intact());
}

TEST_P(FormatContract, AppendTakesRowsInAnyPieces) {
  constexpr int kRows = 33, kColumns = 256;
  Matrix whole(format(), kRows, kColumns), pieces(format(), kRows, kColumns);
  ASSERT_TRUE(whole.linear->Append(kRows, whole.bytes.data()));
  int filled = 0;
  for (const int step : {1, 0, 2, 15, 14, 1}) {
    const size_t at = format().RowBytes(kColumns) * filled;
    // The bytes may be reused after: nothing may be read from them later.
    std::vector<uint8_t> staging(pieces.bytes.begin() + at, pieces.bytes.end());
    ASSERT_TRUE(pieces.linear->Append(step, staging.data()));
    filled += step;
  }
  ASSERT_EQ(filled, kRows);
  const std::vector<float> x = Random(5).Normals(3 * kColumns);
  EXPECT_TRUE(Same(pieces.Multiply(3, x), whole.Multiply(3, x)));
}

TEST_P(FormatContract, ThreadsShareWhatArrives) {
  constexpr int kRows = 135, kColumns = 256;
  Matrix alone(format(), kRows, kColumns), shared(format(), kRows, kColumns);
  ASSERT_TRUE(alone.linear->Append(kRows, alone.bytes.data()));
  OddThreads threads(3);
  int filled = 0;
  // Tiles that begin and end within a call, and between calls.
  for (const int step : {3, 70, 55, 7}) {
    const size_t at = format().RowBytes(kColumns) * filled;
    ASSERT_TRUE(shared.linear->Append(step, shared.bytes.data() + at, threads));
    filled += step;
  }
  ASSERT_EQ(filled, kRows);
  const std::vector<float> x = Random(5).Normals(3 * kColumns);
  EXPECT_TRUE(Same(shared.Multiply(3, x), alone.Multiply(3, x)));
}

// As a later load does, into memory that nobody has filled; and where that
// fails, rows go on as if it had not been tried.
TEST_P(FormatContract, WhatLayInMemoryMultipliesAlike) {
  constexpr int kRows = 21, kColumns = 256;
  Matrix first(format(), kRows, kColumns), later(format(), kRows, kColumns);
  ASSERT_TRUE(first.linear->Append(kRows, first.bytes.data()));
  PackedParts from, to;
  ASSERT_TRUE(first.linear->AddPacked(&from));
  ASSERT_TRUE(later.linear->AddPacked(&to));
  ASSERT_EQ(from.size(), 1u);
  ASSERT_EQ(from[0].size(), first.linear->bytes());
  ASSERT_EQ(to[0].size(), from[0].size());
  std::copy(from[0].begin(), from[0].end(), to[0].begin());
  later.linear->FinishPacked();
  const std::vector<float> x = Random(5).Normals(3 * kColumns);
  const std::vector<float> wanted = first.Multiply(3, x);
  EXPECT_TRUE(Same(later.Multiply(3, x), wanted));

  Matrix damaged(format(), kRows, kColumns);
  PackedParts parts;
  ASSERT_TRUE(damaged.linear->AddPacked(&parts));
  std::fill(parts[0].begin(), parts[0].end(), uint8_t{0xff});
  ASSERT_TRUE(damaged.linear->Append(kRows, damaged.bytes.data()));
  EXPECT_TRUE(Same(damaged.Multiply(3, x), wanted));
}

TEST_P(FormatContract, GatherIsTheDefinition) {
  constexpr int kRows = 9, kColumns = 512;
  Matrix matrix(format(), kRows, kColumns);
  RowStore store(format(), kRows, kColumns);
  EXPECT_EQ(store.bytes(), matrix.bytes.size());
  ASSERT_TRUE(store.Append(4, matrix.bytes.data()));
  ASSERT_TRUE(
      store.Append(5, matrix.bytes.data() + 4 * format().RowBytes(kColumns)));
  ASSERT_TRUE(matrix.linear->Append(kRows, matrix.bytes.data()));
  for (const int row : {8, 0, 5}) {
    const std::span<const double> expected =
        std::span(matrix.weights).subspan(row * kColumns, kColumns);
    Poisoned out(kColumns);
    store.Gather(row, out.data());
    EXPECT_TRUE(Near(out.values(), expected, 1e-7));
    EXPECT_TRUE(out.intact());
    Poisoned gathered(kColumns);
    matrix.linear->Gather(row, gathered.data());
    EXPECT_TRUE(Same(gathered.values(), out.values()));
  }
}

// A text must not change with the size of the batches that it is read in.
TEST_P(FormatContract, ResultOfATokenDoesNotDependOnItsBatch) {
  constexpr int kColumns = 512;
  // The last have more rows than are met by some of the tokens in one go;
  // blocks of tokens leave two, one and none.
  for (const auto& [rows, tokens] :
       {std::pair(7, 2), std::pair(7, 16), std::pair(7, 23), std::pair(7, 39),
        std::pair(1003, 6), std::pair(1003, 5), std::pair(1003, 8)}) {
    Matrix matrix(format(), rows, kColumns);
    ASSERT_TRUE(matrix.linear->Append(rows, matrix.bytes.data()));
    const std::vector<float> x = Random(6).Normals(tokens * kColumns);
    const std::vector<float> whole = matrix.Multiply(tokens, x);
    for (int t = 0; t < tokens; ++t) {
      const auto row = x.begin() + t * kColumns;
      const std::vector<float> alone =
          matrix.Multiply(1, {row, row + kColumns});
      const auto in_batch = std::span(whole).subspan(t * rows, rows);
      if (quantises_input()) {
        EXPECT_TRUE(Same(alone, in_batch)) << t << " of " << tokens;
      } else {
        EXPECT_TRUE(Near(alone, in_batch, 1e-6)) << t << " of " << tokens;
      }
    }
  }
}

// Which places weights are read from is found by trying, in the midst of texts.
TEST_P(FormatContract, ReadingFromManyPlacesChangesNoBit) {
  constexpr int kColumns = 512;
  // Fewer tiles than places, as many and two, and more than are met in one go,
  // some of them left over.
  for (const int rows : {7, 61, 1003}) {
    Matrix matrix(format(), rows, kColumns);
    ASSERT_TRUE(matrix.linear->Append(rows, matrix.bytes.data()));
    for (const int tokens : {1, 2, 3, 4, 5, 6, 7, 15, 16, 39}) {
      const std::vector<float> x = Random(tokens).Normals(tokens * kColumns);
      EXPECT_TRUE(Same(matrix.Multiply(tokens, x),
                       matrix.Multiply(tokens, x, Reading::kManyPlaces)))
          << rows << " rows, " << tokens << " tokens";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, FormatContract, testing::ValuesIn(kFormats),
                         [](const auto& info) {
                           return std::string(info.param->name);
                         });

TEST(Formats, TypesAndNamesAreUnique) {
  std::set<int> types;
  std::set<std::string> names;
  for (const Format* format : kFormats) {
    EXPECT_TRUE(types.insert(format->type).second) << format->name;
    EXPECT_TRUE(names.insert(format->name).second) << format->name;
  }
}

TEST(Formats, UnknownTypesAreNotFound) {
  for (const int type : {-1, 4, 5, 31, 1 << 30}) {
    EXPECT_EQ(FindFormat(type), nullptr) << type;
  }
}

}  // namespace
}  // namespace fastweights
