// SPDX-License-Identifier: MIT
#include "base/arena.h"
#include "bench/kernels.h"
#include "kernels/linear_recurrence/linear_recurrence.h"
#include "random.h"

namespace fastweights {
namespace {

constexpr int kHeads = kBenchHeads, K = kBenchKeyDim, V = kBenchValueDim;
constexpr double kMatrix = kBenchMatrix;

struct Cell {
  const char* name;  // the rules that it is
  Decay decay;
  Erase erase;
  Read read = Read::kAfterWrite;
};
constexpr Cell kCells[] = {
    {"linear", Decay::kNone, Erase::kNone},
    {"retnet, lightning, mamba2, mlstm", Decay::kPerHead, Erase::kNone},
    {"gla, hgrn2", Decay::kPerChannel, Erase::kNone},
    {"rwkv6", Decay::kPerChannel, Erase::kNone, Read::kBeforeWrite},
    {"delta, longhorn", Decay::kNone, Erase::kDelta},
    {"gated_delta", Decay::kPerHead, Erase::kDelta},
    {"kda", Decay::kPerChannel, Erase::kDelta},
    {"gdn2", Decay::kPerChannel, Erase::kKey},
    {"comba", Decay::kPerHead, Erase::kLowRank},
    {"rwkv7", Decay::kPerChannel, Erase::kLowRank},
};

// Token by token: 2 KV each to write and to read, KV to decay, 2 KV to recall,
// 2 KV more to erase with a vector of its own.
double RecurrentOperations(const Cell& cell) {
  return kMatrix *
         (4 + (cell.decay != Decay::kNone) + 2 * (cell.erase != Erase::kNone) +
          2 * (cell.erase == Erase::kLowRank));
}

// What the chunk form itself does, which is less: it decays once a chunk, but
// multiplies each token's keys with those of the tokens before it (3.5 of them)
// and adds up what these wrote. Exponentials and decays of keys do not count.
double ChunkOperations(const Cell& cell) {
  const int writes = cell.erase == Erase::kLowRank ? 2 : 1;
  const int reads = cell.erase == Erase::kNone ? 1 : 2;
  const double before = (kChunkTokens - 1) / 2.0, vectors = 2 * K + 2 * V;
  const double decay = cell.decay != Decay::kNone ? kMatrix / kChunkTokens : 0;
  return kMatrix * (2 * reads + 2 * writes) + decay +
         writes * vectors * (before * reads + 1);
}

class CellRun : public KernelRun {
 public:
  CellRun(const Cell& cell, bool chunk, int tokens)
      : chunk_(chunk),
        tokens_(tokens),
        shape_{.decay = cell.decay,
               .erase = cell.erase,
               .read = cell.read,
               .order = KeyHeads::kGrouped,
               .heads = kHeads,
               .key_heads = kHeads,
               .key_dim = K,
               .value_dim = V},
        stride_(chunk ? ChunkStateFloats(shape_) : K * V),
        state_(MakeBuffer<float>(static_cast<size_t>(kHeads) * stride_)),
        scratch_(LinearRecurrenceScratchFloats(shape_)) {
    Random random(1);
    const size_t rows = static_cast<size_t>(tokens) * kHeads;
    const auto keys = [&] { return random.Normals(rows * K, 0.0884); };
    q_ = keys(), k_ = keys(), p_ = keys(), b_ = keys();
    v_ = random.Normals(rows * V);
    g_ = random.Uniforms(rows * K, -0.1, 0.0);
    beta_ = random.Uniforms(rows, 0.0, 1.0);
    bonus_ = random.Normals(kHeads * K);
    // Erased is what was recalled; a key of its own is part of the key.
    for (size_t i = 0; i < rows * K; ++i) {
      if (cell.erase == Erase::kLowRank) b_[i] = 0.5f * p_[i];
      if (cell.erase == Erase::kKey) p_[i] = 0.5f * k_[i];
    }
    out_.resize(rows * V);
    std::fill_n(state_.get(), static_cast<size_t>(kHeads) * stride_, 0.0f);
  }

  void Once() override {
    const bool erases = shape_.erase != Erase::kNone;
    const LinearRecurrenceArgs args = {
        .q = q_.data(),
        .q_stride = kHeads * K,
        .k = k_.data(),
        .k_stride = kHeads * K,
        .v = v_.data(),
        .v_stride = kHeads * V,
        .g = shape_.decay == Decay::kNone ? nullptr : g_.data(),
        .beta = shape_.erase == Erase::kDelta ? beta_.data() : nullptr,
        .p = erases ? p_.data() : nullptr,
        .p_stride = kHeads * K,
        .b = shape_.erase == Erase::kLowRank ? b_.data() : nullptr,
        .b_stride = kHeads * K,
        .bonus = shape_.read == Read::kBeforeWrite ? bonus_.data() : nullptr,
        .state = state_.get(),
        .state_stride = stride_,
        .out = out_.data(),
        .out_stride = kHeads * V};
    for (int h = 0; h < kHeads; ++h) {
      if (chunk_) {
        LinearRecurrenceChunk(position_, tokens_, shape_, args, h,
                              scratch_.data());
      } else {
        LinearRecurrenceRecurrent(tokens_, shape_, args, h, scratch_.data());
      }
    }
    position_ = (position_ + tokens_) % kChunkTokens;
  }

 private:
  bool chunk_;
  int tokens_, position_ = 0;
  LinearRecurrenceShape shape_;
  int stride_;
  Buffer<float> state_;
  std::vector<float> scratch_, q_, k_, p_, b_, v_, g_, beta_, bonus_, out_;
};

}  // namespace

std::vector<Kernel> CellKernels() {
  std::vector<Kernel> kernels;
  for (const Cell& cell : kCells) {
    const auto form = [&cell](bool chunk) {
      return [&cell, chunk](int tokens) {
        return std::make_unique<CellRun>(cell, chunk, tokens);
      };
    };
    kernels.push_back({cell.name, "recurrent", RecurrentOperations(cell),
                       2 * sizeof(float) * kMatrix, form(false)});
    kernels.push_back(
        {cell.name, "chunk", ChunkOperations(cell), 0, form(true)});
  }
  return kernels;
}

}  // namespace fastweights
