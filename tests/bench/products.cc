// SPDX-License-Identifier: MIT

// One matrix product at a time, for the clock in JavaScript.

#include <emscripten.h>

#include <memory>
#include <vector>

#include "base/check.h"
#include "formats/dense_linear.h"
#include "formats/dense_weights.h"
#include "formats/qc8_linear.h"
#include "formats/random_weights.h"
#include "formats/weights.h"
#include "random.h"

namespace fastweights {
namespace {

struct Product {
  std::unique_ptr<Linear> linear;
  int tokens;
  std::vector<float> x, out;
  Workspace workspace;
};

// A matrix with random weights of a format and a random input for it.
Product* Fill(const Format& format, std::unique_ptr<Linear> linear,
              int tokens) {
  const int rows = linear->rows(), columns = linear->columns();
  CHECK(columns % format.block == 0);
  Random random(1);
  auto* product = new Product();
  product->tokens = tokens;
  product->linear = std::move(linear);
  const std::vector<uint8_t> row = RandomWeights(format, columns, random);
  for (int r = 0; r < rows; ++r) CHECK(product->linear->Append(1, row.data()));
  product->x = random.Normals(static_cast<size_t>(tokens) * columns);
  product->out.resize(static_cast<size_t>(tokens) * rows);
  CHECK(product->workspace.Reserve(ProductInput::ScratchBytes(tokens, columns),
                                   product->linear->ThreadScratchBytes()));
  return product;
}

// Products of up to kMost tokens by our kernel, of more by XNNPACK's.
template <class Weight, int kMost>
struct UpTo : Weight {
  static constexpr int kMostTokens = kMost;
};

template <class Weight>
std::unique_ptr<Linear> MakeDense(bool ours, int rows, int columns) {
  if (ours) {
    return std::make_unique<DenseLinear<UpTo<Weight, 1 << 30>>>(rows, columns);
  }
  return std::make_unique<DenseLinear<UpTo<Weight, 0>>>(rows, columns);
}

}  // namespace

extern "C" {

// By the kernels that models run.
EMSCRIPTEN_KEEPALIVE Product* MakeProduct(int type, int rows, int columns,
                                          int tokens) {
  const Format* format = FindFormat(type);
  CHECK(format != nullptr);
  return Fill(*format, format->make_linear(*format, rows, columns), tokens);
}

// Of floats requantised to int8 with one scale a row.
EMSCRIPTEN_KEEPALIVE Product* MakeQc8Product(int rows, int columns,
                                             int tokens) {
  return Fill(kF32Format,
              std::make_unique<Qc8Linear>(kF32Format, rows, columns), tokens);
}

// Of F32, F16 or BF16 by our kernel or by XNNPACK's.
EMSCRIPTEN_KEEPALIVE Product* MakeDenseProduct(int type, bool ours, int rows,
                                               int columns, int tokens) {
  const auto make = type == kF32Format.type   ? MakeDense<Single>
                    : type == kF16Format.type ? MakeDense<Half>
                                              : MakeDense<Bfloat>;
  return Fill(*FindFormat(type), make(ours, rows, columns), tokens);
}

// Loads a matrix from rows as a file of a type has them, in one of MatrixForm;
// returns the bytes that were read.
EMSCRIPTEN_KEEPALIVE double LoadMatrix(int type, int form, int rows,
                                       int columns) {
  const TensorTable table = {{"matrix", {"matrix", type, columns, rows}}};
  Weights weights(table, static_cast<MatrixForm>(form));
  const auto matrix = weights.Matrix("matrix", rows, columns);
  const Format& format = *FindFormat(type);
  Random random(1);
  const std::vector<uint8_t> row = RandomWeights(format, columns, random);
  for (int r = 0; r < rows; ++r) {
    CHECK(weights.sinks().at("matrix")[0]->Append(1, row.data()));
  }
  return static_cast<double>(row.size()) * rows;
}

EMSCRIPTEN_KEEPALIVE double ProductBytes(const Product* product) {
  return static_cast<double>(product->linear->bytes());
}

// Multiplies `times` times; the input is quantised once.
EMSCRIPTEN_KEEPALIVE void RunProduct(Product* product, int times) {
  const ArenaScope scope(product->workspace.arena());
  Linear& linear = *product->linear;
  ProductInput input(product->tokens, linear.columns(), product->x.data(),
                     product->workspace);
  for (int i = 0; i < times; ++i) {
    linear.Multiply(input, product->out.data(), linear.rows());
  }
}

// From which places it reads (Reading).
EMSCRIPTEN_KEEPALIVE void SetReading(Product* product, int reading) {
  product->workspace.set_reading(static_cast<Reading>(reading));
}

// Whether its loops are called deeper on the stack (DeepCall).
EMSCRIPTEN_KEEPALIVE void CallDeeper(Product* product, bool deeper) {
  product->workspace.threads().CallDeeper(deeper);
}

EMSCRIPTEN_KEEPALIVE void FreeProduct(Product* product) { delete product; }

}  // extern "C"
}  // namespace fastweights
