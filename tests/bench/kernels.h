// SPDX-License-Identifier: MIT
#pragma once

// Kernels of associative memories at 16 heads of 128 x 128, one at a time, for
// the clock in JavaScript.

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace fastweights {

inline constexpr int kBenchHeads = 16;
inline constexpr int kBenchKeyDim = 128, kBenchValueDim = 128;
inline constexpr double kBenchMatrix = double{kBenchKeyDim} * kBenchValueDim;

// Calls with the same tokens again and again, the state going on.
struct KernelRun {
  virtual ~KernelRun() = default;
  virtual void Once() = 0;
};

struct Kernel {
  std::string name, form;
  double operations;  // floating-point, of a token and head
  double bytes;  // of state that a token and head reads and writes; 0: some of
                 // it only, or of many tokens at once
  std::function<std::unique_ptr<KernelRun>(int tokens)> make;
};

// Both forms of every cell of the general recurrence.
std::vector<Kernel> CellKernels();
// The other rules, as memories run them.
std::vector<Kernel> MemoryKernels();

}  // namespace fastweights
