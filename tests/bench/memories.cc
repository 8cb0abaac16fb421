// SPDX-License-Identifier: MIT
#include "base/check.h"
#include "bench/kernels.h"
#include "memory/memory.h"
#include "random.h"

namespace fastweights {
namespace {

constexpr int kHeads = kBenchHeads, K = kBenchKeyDim, V = kBenchValueDim;
constexpr double kMatrix = kBenchMatrix;
// Tokens that softmax attention holds already.
constexpr int kContext = 1024;

struct MemoryKernel {
  const char *rule, *form;
  // Settings: a name and a text or a number.
  const char* setting;
  const char* text;
  double number;
  double operations, bytes;
};
// Counted by their recurrences, whatever the form: Titans 2 KV for the
// gradient, 3 for the momentum, 2 each for the state and the read; TTT-Linear 2
// each to recall, to learn and to read; least squares 4 KK for the gain and its
// matrix beside the delta rule; Mamba's scan 7 with an exponential for one;
// softmax attention 4 for each token in the context. A feature map of twice the
// size has twice the state.
constexpr double kOfState = 2 * sizeof(float) * kMatrix;
constexpr MemoryKernel kMemories[] = {
    {"linear_transformer", "elu + 1", nullptr, nullptr, 0, 4 * kMatrix, 0},
    {"linear", "dpfp", "featureMap", "dpfp", 0, 8 * kMatrix, 0},
    {"titans", "recurrent", "miniBatch", nullptr, 1, 9 * kMatrix, 2 * kOfState},
    {"titans", "mini-batches of 16", "miniBatch", nullptr, 16, 9 * kMatrix, 0},
    {"ttt_linear", "mini-batches of 16", "miniBatch", nullptr, 16, 6 * kMatrix,
     0},
    {"least_squares", "recurrent", nullptr, nullptr, 0, 10 * kMatrix,
     2 * kOfState},
    {"mamba1", "recurrent", nullptr, nullptr, 0, 7 * kMatrix, kOfState},
    {"hopfield", "linear", nullptr, nullptr, 0, 4 * kMatrix, 0},
    {"softmax", "context of 1024", nullptr, nullptr, 0, 4.0 * K* kContext, 0},
};

class MemoryRun : public KernelRun {
 public:
  MemoryRun(const MemoryKernel& kernel, int tokens)
      : tokens_(tokens),
        start_(kernel.rule == std::string("softmax") ? kContext : 0) {
    const RuleSpec* spec = FindRule(kernel.rule);
    CHECK(spec != nullptr);
    Config settings;
    if (kernel.text) settings.SetText(kernel.setting, kernel.text);
    if (kernel.number) settings.SetNumbers(kernel.setting, {kernel.number});
    const MemoryShape shape = {kHeads, kHeads, K, V};
    memory_ = Memory::Make(*spec, shape, settings);
    CHECK(memory_ != nullptr);
    const int room = tokens > start_ ? tokens : start_;
    CHECK(memory_->Reserve(room));
    Random random(1);
    for (size_t i = 0; i < spec->inputs.size(); ++i) {
      const MemoryInput& input = spec->inputs[i];
      const size_t floats =
          static_cast<size_t>(room) * RowsOf(input.extent, shape).floats();
      // Keys of length one; rates and decays all small.
      const double size = input.role == Role::kValue ? 1.0 : 0.0884;
      const auto values = input.role == Role::kGate
                              ? random.Uniforms(floats, 0.0, 0.1)
                              : random.Normals(floats, size);
      std::copy(values.begin(), values.end(), memory_->input(i));
    }
    if (start_ > 0) CHECK(memory_->Forward(start_));
  }

  void Once() override {
    if (start_ > 0) memory_->set_position(start_ - tokens_ / 2);
    CHECK(memory_->Forward(tokens_));
  }

 private:
  int tokens_, start_;
  std::unique_ptr<Memory> memory_;
};

}  // namespace

std::vector<Kernel> MemoryKernels() {
  std::vector<Kernel> kernels;
  for (const MemoryKernel& memory : kMemories) {
    kernels.push_back({memory.rule, memory.form, memory.operations,
                       memory.bytes, [&memory](int tokens) {
                         return std::make_unique<MemoryRun>(memory, tokens);
                       }});
  }
  return kernels;
}

}  // namespace fastweights
