// SPDX-License-Identifier: MIT

// Products that are made together are what each is by itself, to the bit, also
// where they read their weights from more places.

#include "formats/products.h"

#include <algorithm>

#include "formats/format.h"
#include "formats/qc8_linear.h"
#include "formats/random_weights.h"
#include "kernel_test.h"
#include "odd_threads.h"

namespace fastweights {
namespace {

constexpr int kColumns = 512;

std::unique_ptr<Linear> Filled(std::unique_ptr<Linear> matrix,
                               const Format& format) {
  Random random(matrix->rows());
  const std::vector<uint8_t> bytes = RandomWeights(
      format, static_cast<size_t>(matrix->rows()) * kColumns, random);
  EXPECT_TRUE(matrix->Append(matrix->rows(), bytes.data()));
  return matrix;
}

std::unique_ptr<Linear> Filled(const Format& format, int rows) {
  return Filled(format.make_linear(format, rows, kColumns), format);
}

// With scratch of exactly what is promised.
void ExpectTheSame(const std::vector<std::unique_ptr<Linear>>& matrices) {
  size_t thread_bytes = 0;
  for (const auto& matrix : matrices) {
    thread_bytes = std::max(thread_bytes, matrix->ThreadScratchBytes());
  }
  for (const int tokens : {1, 2, 3, 6, 61}) {
    const std::vector<float> x = Random(tokens).Normals(tokens * kColumns);
    for (const int threads : {1, 2, 3, 8}) {
      Workspace workspace(std::make_unique<OddThreads>(threads));
      ASSERT_TRUE(workspace.Reserve(
          ProductInput::ScratchBytes(tokens, kColumns, kMostTogether),
          thread_bytes));
      std::vector<Poisoned> together, alone;
      std::vector<MatrixProduct> products;
      for (const auto& matrix : matrices) {
        together.emplace_back(tokens * matrix->rows());
        alone.emplace_back(tokens * matrix->rows());
      }
      for (size_t i = 0; i < matrices.size(); ++i) {
        products.push_back(matrices[i]->To(together[i].data()));
      }
      {
        const ArenaScope scope(workspace.arena());
        workspace.set_reading(Reading::kManyPlaces);
        ProductInput input(tokens, kColumns, x.data(), workspace);
        MultiplyTogether(products, input);
      }
      workspace.set_reading(Reading::kFewPlaces);
      for (size_t i = 0; i < matrices.size(); ++i) {
        const ArenaScope scope(workspace.arena());
        ProductInput input(tokens, kColumns, x.data(), workspace);
        matrices[i]->Multiply(input, alone[i].data(), matrices[i]->rows());
        EXPECT_TRUE(together[i].intact());
        EXPECT_TRUE(Same(together[i].values(), alone[i].values()))
            << "matrix " << i << ", " << tokens << " tokens, " << threads
            << " threads";
      }
    }
  }
}

std::vector<std::unique_ptr<Linear>> Matrices(
    std::initializer_list<std::pair<const Format*, int>> shapes) {
  std::vector<std::unique_ptr<Linear>> matrices;
  for (const auto& [format, rows] : shapes) {
    matrices.push_back(Filled(*format, rows));
  }
  return matrices;
}

TEST(Products, OfOneFormat) {
  ExpectTheSame(Matrices({{&kQ8_0Format, 600},
                          {&kQ8_0Format, 7},
                          {&kQ8_0Format, 1},
                          {&kQ8_0Format, 200}}));
  ExpectTheSame(Matrices({{&kF16Format, 40}, {&kF16Format, 300}}));
}

TEST(Products, OfFormatsWhoseInputIsTheSame) {
  ExpectTheSame(Matrices({{&kQ6KFormat, 300},
                          {&kQ4KFormat, 200},
                          {&kIq4XsFormat, 9},
                          {&kQ2KFormat, 16}}));
  ExpectTheSame(Matrices({{&kQ4_0Format, 300},
                          {&kQ8_0Format, 300},
                          {&kMxfp4Format, 50},
                          {&kQ5_1Format, 50}}));
}

TEST(Products, OfFormatsWhoseInputIsAnother) {
  ExpectTheSame(Matrices({{&kQ4KFormat, 300},
                          {&kF32Format, 100},
                          {&kQ8_0Format, 16},
                          {&kQ4KFormat, 33}}));
  ExpectTheSame(Matrices({{&kBf16Format, 300}, {&kQ5KFormat, 100}}));
}

TEST(Products, OfInt8ByRow) {
  std::vector<std::unique_ptr<Linear>> matrices;
  for (const int rows : {300, 5}) {
    matrices.push_back(Filled(
        std::make_unique<Qc8Linear>(kQ8_0Format, rows, kColumns), kQ8_0Format));
  }
  ExpectTheSame(matrices);
}

}  // namespace
}  // namespace fastweights
