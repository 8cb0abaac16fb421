// SPDX-License-Identifier: MIT
#include "formats/weights.h"

#include "formats/random_weights.h"
#include "kernel_test.h"
#include "odd_threads.h"

namespace fastweights {
namespace {

constexpr int kF32 = 0, kQ8_0 = 8, kQ4_K = 12, kIq2Xs = 17;

TensorTable Table() {
  TensorTable table;
  const auto add = [&](const char* name, int type, int columns, int rows) {
    table[name] = {name, type, columns, rows};
  };
  add("matrix", kQ8_0, 64, 8);
  add("uneven", kQ4_K, 96, 8);
  add("unknown", kIq2Xs, 256, 8);
  add("row", kF32, 12, 1);
  add("column", kF32, 1, 12);
  add("taps", kF32, 4, 6);
  return table;
}

void ExpectError(const Weights& weights, const char* code,
                 const char* subject) {
  ASSERT_TRUE(weights.error().has_value());
  EXPECT_EQ(weights.error()->code, code);
  EXPECT_EQ(weights.error()->subject, subject);
  EXPECT_NE(weights.error()->message.find(subject), std::string::npos);
}

TEST(Weights, MissingTensorIsNamed) {
  const TensorTable table = Table();
  Weights weights(table);
  EXPECT_EQ(weights.Matrix("absent", 8, 64), nullptr);
  ExpectError(weights, "missing_tensor", "absent");
}

TEST(Weights, WrongShapeIsNamed) {
  const TensorTable table = Table();
  for (const auto& [rows, columns] :
       {std::pair(8, 32), std::pair(7, 64), std::pair(64, 8)}) {
    Weights weights(table);
    EXPECT_EQ(weights.Matrix("matrix", rows, columns), nullptr);
    ExpectError(weights, "shape_mismatch", "matrix");
  }
}

TEST(Weights, UnknownTypeIsNamed) {
  const TensorTable table = Table();
  Weights weights(table);
  EXPECT_EQ(weights.Matrix("unknown", 8, 256), nullptr);
  ExpectError(weights, "unsupported_type", "unknown");
  EXPECT_NE(weights.error()->message.find("17"), std::string::npos);
}

TEST(Weights, BlockThatDoesNotDivideTheRowIsNamed) {
  const TensorTable table = Table();
  Weights weights(table);
  EXPECT_EQ(weights.Matrix("uneven", 8, 96), nullptr);
  ExpectError(weights, "shape_mismatch", "uneven");
}

TEST(Weights, EveryWayToAskChecks) {
  const TensorTable table = Table();
  Weights rows(table), vector(table), transposed(table);
  EXPECT_EQ(rows.Rows("matrix", 9, 64), nullptr);
  ExpectError(rows, "shape_mismatch", "matrix");
  EXPECT_EQ(vector.Vector("row", 13), nullptr);
  ExpectError(vector, "shape_mismatch", "row");
  EXPECT_EQ(transposed.Transposed("taps", 4, 6), nullptr);
  ExpectError(transposed, "shape_mismatch", "taps");
}

TEST(Weights, StackIsItsMatricesInWhateverPiecesItArrives) {
  constexpr int kCount = 3, kRows = 10, kColumns = 64;
  TensorTable table;
  table["stack"] = {"stack", kQ8_0, kColumns, kCount * kRows};
  Random random(1);
  const size_t row_bytes = kQ8_0Format.RowBytes(kColumns);
  const std::vector<uint8_t> bytes =
      RandomWeights(kQ8_0Format, kCount * kRows * kColumns, random);
  for (const int step : {1, 7, 10, 30}) {
    Weights weights(table);
    const auto stack = weights.Stack("stack", kCount, kRows, kColumns);
    ASSERT_FALSE(weights.error());
    for (int row = 0; row < kCount * kRows; row += step) {
      const int count = std::min(step, kCount * kRows - row);
      ASSERT_TRUE(weights.sinks().at("stack")[0]->Append(
          count, bytes.data() + row * row_bytes));
    }
    std::vector<float> found(kColumns), expected(kColumns);
    for (int row = 0; row < kCount * kRows; ++row) {
      (*stack)[row / kRows].Gather(row % kRows, found.data());
      kQ8_0Format.dequantise(bytes.data() + row * row_bytes, kColumns,
                             expected.data());
      EXPECT_TRUE(Same(found, expected)) << row;
    }
  }
  Weights weights(table);
  EXPECT_EQ(weights.Stack("stack", 4, kRows, kColumns), nullptr);
  ExpectError(weights, "shape_mismatch", "stack");
}

TEST(Weights, VectorMayBeStoredByHeads) {
  const TensorTable table = Table();
  Weights weights(table);
  const auto taps = weights.Vector("taps", 24);
  ASSERT_FALSE(weights.error());
  const std::vector<float> values = Random(1).Normals(24);
  ASSERT_TRUE(taps->Append(6, reinterpret_cast<const uint8_t*>(values.data())));
  EXPECT_TRUE(Same({taps->data(), 24}, values));
  EXPECT_EQ(weights.Vector("taps", 12), nullptr);
  ExpectError(weights, "shape_mismatch", "taps");
}

TEST(Weights, FirstErrorIsKept) {
  const TensorTable table = Table();
  Weights weights(table);
  weights.Matrix("absent", 8, 64);
  weights.Matrix("unknown", 8, 256);
  EXPECT_EQ(weights.Matrix("matrix", 8, 64), nullptr);
  ExpectError(weights, "missing_tensor", "absent");
  EXPECT_TRUE(weights.sinks().empty());
}

TEST(Weights, VectorsAreTakenInEitherShape) {
  const TensorTable table = Table();
  const std::vector<float> values = Random(1).Normals(12);
  const auto* bytes = reinterpret_cast<const uint8_t*>(values.data());
  for (const char* name : {"row", "column"}) {
    Weights weights(table);
    const auto vector = weights.Vector(name, 12);
    ASSERT_NE(vector, nullptr);
    EXPECT_EQ(vector->bytes(), 12 * sizeof(float));
    // As many rows as the table says.
    ASSERT_TRUE(vector->Append(table.at(name).rows, bytes));
    EXPECT_TRUE(Same({vector->data(), 12}, values));
  }
}

TEST(Weights, TransposedTurnsRowsIntoColumns) {
  const TensorTable table = Table();
  Weights weights(table);
  const auto taps = weights.Transposed("taps", 6, 4);
  const std::vector<float> values = Random(1).Normals(24);
  const auto* bytes = reinterpret_cast<const uint8_t*>(values.data());
  ASSERT_TRUE(taps->Append(2, bytes));
  ASSERT_TRUE(taps->Append(4, bytes + 2 * 4 * sizeof(float)));
  for (int r = 0; r < 6; ++r) {
    for (int c = 0; c < 4; ++c) {
      EXPECT_EQ(taps->data()[c * 6 + r], values[r * 4 + c]);
    }
  }
}

TEST(Weights, MatricesAreRequantisedWhereThatIsAskedFor) {
  const TensorTable table = Table();
  Weights stored(table), requantised(table, MatrixForm::kQc8);
  // A scale for each 32 codes, or one for the row's.
  const size_t blocks = kQ8_0Format.RowBytes(64) * 8;
  EXPECT_EQ(stored.Matrix("matrix", 8, 64)->bytes(), blocks);
  const size_t by_row = requantised.Matrix("matrix", 8, 64)->bytes();
  EXPECT_EQ(by_row, 8 * (sizeof(int32_t) + 64 + 2 * sizeof(float)));
  // Rows that are only read are not.
  EXPECT_EQ(requantised.Rows("matrix", 8, 64)->bytes(), blocks);
}

TEST(Weights, MatricesAndRowsAreQuantisedAsTheyArrive) {
  constexpr int kRows = 43, kColumns = 64;
  TensorTable table;
  table["wide"] = {"wide", kF32, kColumns, kRows};
  const std::vector<float> values = Random(1).Normals(kRows * kColumns);
  const auto* bytes = reinterpret_cast<const uint8_t*>(values.data());
  Weights weights(table, MatrixForm::kQ4_0);
  const auto matrix = weights.Matrix("wide", kRows, kColumns);
  const auto rows = weights.Rows("wide", kRows, kColumns);
  const auto vector = weights.Transposed("wide", kRows, kColumns);
  ASSERT_EQ(weights.sinks().at("wide").size(), 3u);
  for (WeightSink* sink : weights.sinks().at("wide")) {
    ASSERT_TRUE(sink->Append(4, bytes));
    OddThreads threads(3);
    ASSERT_TRUE(
        sink->Append(kRows - 4, bytes + 4 * kColumns * sizeof(float), threads));
  }
  const size_t row_bytes = kQ4_0Format.RowBytes(kColumns);
  EXPECT_EQ(rows->bytes(), kRows * row_bytes);
  EXPECT_EQ(matrix->bytes(), 48 * row_bytes);  // whole tiles
  EXPECT_EQ(weights.sinks().at("wide")[0]->bytes(), matrix->bytes());
  std::vector<uint8_t> row(row_bytes);
  for (int r = 0; r < kRows; ++r) {
    kQ4_0Format.quantise(values.data() + r * kColumns, kColumns, row.data());
    std::vector<float> wanted(kColumns), found(kColumns);
    kQ4_0Format.dequantise(row.data(), kColumns, wanted.data());
    rows->Gather(r, found.data());
    EXPECT_TRUE(Same(found, wanted)) << r;
    matrix->Gather(r, found.data());
    EXPECT_TRUE(Same(found, wanted)) << r;
    EXPECT_EQ(vector->data()[r], values[r * kColumns]);
  }
}

TEST(Weights, ATensorMayHaveSeveralSinks) {
  const TensorTable table = Table();
  Weights weights(table);
  const auto matrix = weights.Matrix("matrix", 8, 64);
  const auto rows = weights.Rows("matrix", 8, 64);
  const std::vector<WeightSink*> expected = {matrix.get(), rows.get()};
  EXPECT_EQ(weights.sinks().at("matrix"), expected);
  EXPECT_EQ(weights.sinks().size(), 1u);
}

}  // namespace
}  // namespace fastweights
