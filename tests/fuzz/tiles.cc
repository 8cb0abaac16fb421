// SPDX-License-Identifier: MIT

// Of every weight type: whatever finite weights its bytes say, a matrix of them
// holds what its definition says, and multiplies as that does, each token
// alone as beside others, to the bit.

#include <fuzzer/FuzzedDataProvider.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <memory>
#include <vector>

#include "base/check.h"
#include "base/workspace.h"
#include "formats/format.h"
#include "formats/half.h"
#include "formats/naive.h"
#include "formats/product_input.h"
#include "formats/random_weights.h"
#include "formats/tile_layout.h"
#include "random.h"

namespace fastweights {
namespace {

const Format* const kFormats[] = {
#define FORMAT(name) &k##name##Format,
#include "formats/formats.inc"
#undef FORMAT
};

bool SameOrNaN(float a, float b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

struct Matrix {
  const Format& format;
  int rows, columns;
  std::vector<uint8_t> bytes;
  std::unique_ptr<Linear> linear;
};

// Blocks are drawn or given, byte by byte.
Matrix AnyMatrix(FuzzedDataProvider& input) {
  const Format& format = *kFormats[input.ConsumeIntegralInRange<size_t>(
      0, std::size(kFormats) - 1)];
  const int rows = input.ConsumeIntegralInRange(1, 40);
  const int step = format.block == 1 ? 7 : format.block;
  const int columns =
      step * input.ConsumeIntegralInRange(1, std::max(512 / step, 2));
  Matrix matrix = {format, rows, columns, {}, {}};
  Random random(input.ConsumeIntegral<uint8_t>());
  const size_t count = static_cast<size_t>(rows) * columns;
  matrix.bytes = RandomWeights(format, count, random);
  const std::vector<uint8_t> given = input.ConsumeBytes<uint8_t>(
      input.ConsumeIntegralInRange<size_t>(0, 3 * format.block_bytes));
  if (!given.empty()) {
    const size_t from =
        input.ConsumeIntegralInRange<size_t>(0, matrix.bytes.size() - 1);
    const size_t most = std::min(given.size(), matrix.bytes.size() - from);
    std::copy_n(given.begin(), most, matrix.bytes.begin() + from);
  }
  return matrix;
}

std::vector<float> AnyValues(FuzzedDataProvider& input, size_t count) {
  constexpr double sizes[] = {1, 1e-3, 1e6, 1e-30, 1e30, 0};
  Random random(input.ConsumeIntegral<uint8_t>());
  const double size = input.PickValueInArray(sizes);
  std::vector<float> x = random.Uniforms(count, -size, size);
  for (int i = input.ConsumeIntegralInRange(0, 4); i > 0; --i) {
    const auto bits = input.ConsumeIntegral<uint32_t>();
    float value;
    std::memcpy(&value, &bits, sizeof(value));
    if (std::isfinite(value)) x[bits % count] = value;
  }
  return x;
}

// Rows `stride` floats apart, with scratch of exactly the size that is asked
// for and nothing written between them.
std::vector<float> Multiply(const Matrix& matrix, int tokens, const float* x) {
  const int stride = matrix.rows + 1;
  Workspace workspace;
  CHECK(workspace.Reserve(ProductInput::ScratchBytes(tokens, matrix.columns),
                          matrix.linear->ThreadScratchBytes()));
  ProductInput product_input(tokens, matrix.columns, x, workspace);
  constexpr float kUnwritten = -1.25f;
  std::vector<float> out(static_cast<size_t>(tokens) * stride, kUnwritten);
  matrix.linear->Multiply(product_input, out.data(), stride);
  for (int t = 0; t < tokens; ++t) {
    CHECK(out[t * stride + matrix.rows] == kUnwritten);
  }
  return out;
}

void AppendAll(FuzzedDataProvider& input, Matrix& matrix, RowStore& store) {
  matrix.linear =
      matrix.format.make_linear(matrix.format, matrix.rows, matrix.columns);
  const size_t row_bytes = matrix.format.RowBytes(matrix.columns);
  for (int row = 0; row < matrix.rows;) {
    const int count = input.ConsumeIntegralInRange(1, matrix.rows - row);
    CHECK(matrix.linear->Append(count, matrix.bytes.data() + row * row_bytes));
    CHECK(store.Append(count, matrix.bytes.data() + row * row_bytes));
    row += count;
  }
}

// What the terms of a row's sum may be as they are computed, for each column:
// codes and offsets apart, each up to 128 more than it is.
std::vector<double> Terms(const Matrix& matrix, int row,
                          const std::vector<double>& weights) {
  const Format& format = matrix.format;
  std::vector<double> terms(weights.size());
  for (int c = 0; c < matrix.columns; ++c) terms[c] = std::abs(weights[c]);
  if (!format.tiles) return terms;
  const TileLayout& layout = format.tiles->layout;
  const uint8_t* bytes =
      matrix.bytes.data() + row * format.RowBytes(matrix.columns);
  const auto as_float = [&](uint16_t bits) {
    return layout.scales == TileScales::kBfloats
               ? FloatFromBits(static_cast<uint32_t>(bits) << 16)
               : HalfToFloat(bits);
  };
  for (int c = 0; c < matrix.columns; c += layout.block) {
    BlockParts parts;
    format.tiles->unpack(bytes + c / layout.block * format.block_bytes, &parts);
    for (int i = 0; i < layout.block; ++i) {
      const int group = i / layout.group;
      terms[c + i] +=
          255.0 * std::abs(as_float(parts.scale) * parts.scales[group]) +
          (layout.offsets
               ? std::abs(as_float(parts.offset) * parts.offsets[group])
               : 0.0);
    }
  }
  return terms;
}

// |x|, or the largest of the columns that share a scale as int8.
std::vector<double> Sizes(const Matrix& matrix, const std::vector<float>& x) {
  std::vector<double> sizes(x.size());
  const int group =
      matrix.format.tiles ? InputGroup(matrix.format.tiles->layout) : 1;
  for (size_t i = 0; i < x.size(); i += group) {
    double most = 0;
    for (int j = 0; j < group; ++j) {
      most = std::max<double>(most, std::abs(x[i + j]));
    }
    std::fill_n(sizes.begin() + i, group, most);
  }
  return sizes;
}

// Inputs that become zero: kLeastMagnitude of quantise_int8.h, which not every
// build of this file may read.
constexpr double kLost = 1e-35;

// A row of the product beside the definition's.
void CheckRow(const Matrix& matrix, int row, const std::vector<double>& weights,
              const std::vector<float>& x, const std::vector<float>& out) {
  const std::vector<double> terms = Terms(matrix, row, weights);
  const std::vector<double> sizes = Sizes(matrix, x);
  const size_t columns = matrix.columns;
  const bool is_quantised = matrix.format.block > 1;
  for (size_t t = 0; t * columns < x.size(); ++t) {
    double sum = 0, size = 0, rounded = 0;
    for (size_t c = 0; c < columns; ++c) {
      const size_t i = t * columns + c;
      sum += weights[c] * x[i];
      size += terms[c] * sizes[i];
      const bool is_lost = sizes[i] <= kLost;
      rounded += std::abs(weights[c]) * sizes[i] / (is_lost ? 1 : 254);
    }
    // What may be infinite on the way need not come back.
    if (!(size <= FLT_MAX / 256)) continue;
    const double limit =
        (is_quantised ? 1.01 * rounded : 0) + 1e-7 * columns * size + 1e-30;
    CHECK(std::abs(out[t * (matrix.rows + 1) + row] - sum) <= limit);
  }
}

void Fuzz(FuzzedDataProvider& input) {
  Matrix matrix = AnyMatrix(input);
  const int columns = matrix.columns;
  const size_t row_bytes = matrix.format.RowBytes(columns);
  const bool are_finite = matrix.format.are_finite(
      matrix.bytes.data(), static_cast<size_t>(matrix.rows) * columns);
  RowStore store(matrix.format, matrix.rows, columns);
  AppendAll(input, matrix, store);

  const int tokens = input.ConsumeIntegralInRange(1, 20);
  const std::vector<float> x =
      AnyValues(input, static_cast<size_t>(tokens) * columns);
  const std::vector<float> out = Multiply(matrix, tokens, x.data());
  // Weights that are refused while they load must do no harm.
  if (!are_finite) return;
  const int alone = input.ConsumeIntegralInRange(0, tokens - 1);
  const std::vector<float> one =
      Multiply(matrix, 1, x.data() + static_cast<size_t>(alone) * columns);
  for (int r = 0; r < matrix.rows; ++r) {
    CHECK(SameOrNaN(one[r], out[alone * (matrix.rows + 1) + r]));
  }
  for (int i = 0; i < 3; ++i) {
    const int row = input.ConsumeIntegralInRange(0, matrix.rows - 1);
    const std::vector<double> weights = DequantiseNaive(
        matrix.format.type, matrix.bytes.data() + row * row_bytes, columns);
    std::vector<float> gathered(columns), stored(columns);
    matrix.linear->Gather(row, gathered.data());
    store.Gather(row, stored.data());
    for (int c = 0; c < columns; ++c) {
      CHECK(std::isfinite(weights[c]));
      CHECK(gathered[c] == static_cast<float>(weights[c]));
      CHECK(stored[c] == gathered[c]);
    }
    CheckRow(matrix, row, weights, x, out);
  }
}

}  // namespace
}  // namespace fastweights

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  FuzzedDataProvider input(bytes, size);
  fastweights::Fuzz(input);
  return 0;
}
