// SPDX-License-Identifier: MIT
#include "bench/kernels.h"

#include <emscripten.h>

namespace fastweights {
namespace {

const std::vector<Kernel>& Kernels() {
  static const std::vector<Kernel> kernels = [] {
    std::vector<Kernel> all = CellKernels();
    for (Kernel& kernel : MemoryKernels()) all.push_back(std::move(kernel));
    return all;
  }();
  return kernels;
}

}  // namespace

extern "C" {

EMSCRIPTEN_KEEPALIVE int KernelCount() {
  return static_cast<int>(Kernels().size());
}
EMSCRIPTEN_KEEPALIVE const char* KernelName(int i) {
  return Kernels()[i].name.c_str();
}
EMSCRIPTEN_KEEPALIVE const char* KernelForm(int i) {
  return Kernels()[i].form.c_str();
}
// Of a token, all heads; see Kernel.
EMSCRIPTEN_KEEPALIVE double KernelOperations(int i) {
  return kBenchHeads * Kernels()[i].operations;
}
EMSCRIPTEN_KEEPALIVE double KernelBytes(int i) {
  return kBenchHeads * Kernels()[i].bytes;
}

EMSCRIPTEN_KEEPALIVE KernelRun* MakeKernel(int i, int tokens) {
  return Kernels()[i].make(tokens).release();
}
EMSCRIPTEN_KEEPALIVE void RunKernel(KernelRun* run, int times) {
  for (int i = 0; i < times; ++i) run->Once();
}
EMSCRIPTEN_KEEPALIVE void FreeKernel(KernelRun* run) { delete run; }

}  // extern "C"
}  // namespace fastweights
