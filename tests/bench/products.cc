// SPDX-License-Identifier: MIT

// One matrix product at a time, for the clock in JavaScript.

#include <emscripten.h>

#include <memory>
#include <vector>

#include "base/check.h"
#include "formats/format.h"
#include "formats/random_weights.h"
#include "random.h"

namespace fastweights {
namespace {

struct Product {
  std::unique_ptr<Linear> linear;
  int tokens;
  std::vector<float> x, out;
  Workspace workspace;
};

}  // namespace

extern "C" {

// A random matrix of a ggml type and a random input for it.
EMSCRIPTEN_KEEPALIVE Product* MakeProduct(int type, int rows, int columns,
                                          int tokens) {
  const Format* format = FindFormat(type);
  CHECK(format != nullptr && columns % format->block == 0);
  Random random(1);
  auto* product = new Product();
  product->tokens = tokens;
  product->linear = format->make_linear(*format, rows, columns);
  const std::vector<uint8_t> row = RandomWeights(*format, columns, random);
  for (int r = 0; r < rows; ++r) CHECK(product->linear->Append(1, row.data()));
  product->x = random.Normals(static_cast<size_t>(tokens) * columns);
  product->out.resize(static_cast<size_t>(tokens) * rows);
  CHECK(product->workspace.Reserve(ProductInput::ScratchBytes(tokens, columns),
                                   product->linear->ThreadScratchBytes()));
  return product;
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

EMSCRIPTEN_KEEPALIVE void FreeProduct(Product* product) { delete product; }

}  // extern "C"
}  // namespace fastweights
