// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <type_traits>

#include "base/workspace.h"

namespace fastweights {

class Linear;
class ProductInput;

// out [tokens, rows] = x [tokens, columns] W^T with the first rows of a matrix;
// rows of out `out_stride` floats apart.
struct MatrixProduct {
  Linear* matrix;
  int rows;
  float* out;
  int out_stride;
};

// Products that may share a loop of the threads.
inline constexpr int kMostTogether = 4;

// Products of one input, kMostTogether at most, to the same bits as one after
// another: threads begin and are waited for once. Those that take the input in
// another form than the ones before have a loop of their own.
void MultiplyTogether(std::span<const MatrixProduct> products, ProductInput& x);

// What a part of a product costs beside those of others: one token reads its
// bytes, several multiply its weights. Q6_K's are 1.5 times as wide as Q4_K's
// and multiplied about as fast, and files have both for one input.
inline size_t PartCost(int tokens, size_t bytes, size_t weights) {
  return tokens == 1 ? bytes : weights;
}

// A product that threads are about to share: parts (tiles, or panels of them)
// that do not depend on each other.
class ProductParts {
 public:
  ProductParts() = default;
  // body(first, last, arena) runs parts [first, last), with scratch of the
  // thread's that runs them; it is copied.
  template <class Body>
  ProductParts(int count, size_t part_cost, const Body& body)
      : count_(count),
        part_cost_(part_cost),
        run_([](const void* body, int first, int last, Arena& arena) {
          (*static_cast<const Body*>(body))(first, last, arena);
        }) {
    static_assert(sizeof(Body) <= sizeof(body_));
    static_assert(std::is_trivially_copyable_v<Body>);
    new (body_) Body(body);
  }

  uint64_t cost() const { return uint64_t{part_cost_} * count_; }
  // Runs the parts that begin within [from, to) of the cost.
  void Run(uint64_t from, uint64_t to, Arena& arena) const;

 private:
  int count_ = 0;
  size_t part_cost_ = 0;
  void (*run_)(const void* body, int first, int last, Arena& arena) = nullptr;
  alignas(8) std::byte body_[96];
};

// Threads share the products as if all weights were one matrix, so that each
// has as much to do, whatever the matrices' sizes.
void RunParts(std::span<const ProductParts> products, Workspace& workspace);

}  // namespace fastweights
