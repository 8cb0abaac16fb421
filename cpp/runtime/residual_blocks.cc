// SPDX-License-Identifier: MIT
#include "runtime/residual_blocks.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "base/check.h"
#include "kernels/activations.h"

namespace fastweights {
namespace {

// Tokens of one task between the products.
constexpr int kTaskTokens = 32;

// That of "blk.3.attn_qkv.weight", as files name the tensors of their layers.
int LayerOf(const MixerPlan& plan) {
  constexpr std::string_view kBlock = "blk.";
  const std::string& tensor = plan.tensors.begin()->second;
  CHECK(tensor.starts_with(kBlock));
  return std::atoi(tensor.c_str() + kBlock.size());
}

// Of texts with all rows of a pass and those wanted of the last block, the rows
// that one block takes and those that it gives. Returns the latter.
int LeaveReached(const Block& block, std::span<Stretch> texts) {
  int rows = 0;
  for (Stretch& text : texts) {
    const int all = text.tokens;
    const auto reached = [&](int64_t reach) {
      return static_cast<int>(std::min<int64_t>(all, text.wanted + reach));
    };
    text.tokens = reached(block.reach);
    text.wanted = reached(block.reach_behind);
    text.position += all - text.tokens;
    // Rows to go back by are of all tokens.
    DCHECK(text.tokens == all || text.state.undo == nullptr);
    rows += text.wanted;
  }
  return rows;
}

}  // namespace

void ResidualBlocks::Add(const BlockPlan& plan, Weights& weights) {
  Block block = {
      .reach = 0,
      .reach_behind = 0,
      .norm = Norm(plan.norm, dim_, weights),
      .mixers = {},
      .output_norm = Norm(plan.output_norm, dim_, weights),
      .residual_scale = static_cast<float>(plan.residual_scale),
  };
  // Whole cache lines, so that every mixer's state is aligned.
  const auto aligned = [](size_t floats) {
    return AlignedBytes(floats * sizeof(float)) / sizeof(float);
  };
  for (MixerPlan mixer_plan : plan.mixers) {
    mixer_plan.sizes["kv_type"] = static_cast<int>(kv_);
    std::unique_ptr<Mixer> mixer = MakeMixer(dim_, mixer_plan, weights);
    CHECK(mixer != nullptr);
    const size_t state = mixer->StateFloats(), page = mixer->KvPageFloats();
    carried_floats_ = std::max(carried_floats_, mixer->CarriedFloats());
    thread_scratch_bytes_ =
        std::max(thread_scratch_bytes_, mixer->ThreadScratchBytes());
    const StateMatrices matrices = mixer->Matrices();
    block.reach = std::max<int64_t>(block.reach, mixer->Reach());
    // What is carried has a row for each token.
    CHECK(mixer->CarriedFloats() == 0 || mixer->Reach() == kReachesAll);
    const int undo = mixer->UndoFloats();
    can_read_again_ = can_read_again_ && (state == 0 || undo > 0);
    block.mixers.push_back({.mixer = std::move(mixer),
                            .state_offset = state_floats_,
                            .page_offset = page_floats_,
                            .trace_offset = trace_floats_,
                            .undo_offset = undo_floats_,
                            .name = mixer_plan.mixer,
                            .layer = LayerOf(mixer_plan)});
    state_floats_ += aligned(state);
    page_floats_ += aligned(page);
    undo_floats_ += undo;
    trace_floats_ +=
        static_cast<uint64_t>(matrices.heads) * matrices.trace_floats;
  }
  // The first one has all rows at hand.
  if (blocks_.empty()) block.reach = kReachesAll;
  for (Block& before : blocks_) {
    before.reach += block.reach;
    before.reach_behind += block.reach;
  }
  blocks_.push_back(std::move(block));
}

uint64_t ResidualBlocks::ScratchBytes(int tokens) const {
  const auto floats = [&](uint64_t each) -> uint64_t {
    return sizeof(float) * each * tokens + kAlignment;
  };
  uint64_t most = 0;
  for (const Block& block : blocks_) {
    uint64_t mixer_bytes = 0;
    for (const PlacedMixer& placed : block.mixers) {
      mixer_bytes =
          std::max<uint64_t>(mixer_bytes, placed.mixer->ScratchBytes(tokens));
    }
    // Side by side, outputs are added up beside the input.
    const int sums = block.mixers.size() > 1 ? 2 : 0;
    most =
        std::max(most, ProductInput::ScratchBytes(tokens, dim_, kMostTogether) +
                           mixer_bytes + sums * floats(dim_));
  }
  // And the normalised input, which outputs replace.
  return floats(dim_) + floats(carried_floats_) + most;
}

void ResidualBlocks::Run(int tokens, int texts, const Stretches& stretches,
                         Workspace& workspace, float* x) const {
  DCHECK(texts <= kMostStretches);
  Arena& arena = workspace.arena();
  const ArenaScope all(arena);
  const size_t floats = static_cast<size_t>(tokens) * dim_;
  // The input of each block's mixers, which their output replaces.
  float* y = arena.Take<float>(floats);
  float* carried =
      arena.Take<float>(static_cast<size_t>(tokens) * carried_floats_);
  int rows = tokens;  // of the next block's input
  const auto for_rows = [&](auto&& body) {
    ForRanges(workspace.threads(), rows, kTaskTokens,
              [&](int from, int to) { body(from * dim_, to - from); });
  };
  // Of the output that is to be added to x; before the first block, of none.
  float scale = 0;
  Stretch of_texts[kMostStretches];
  const Pass pass = {
      {of_texts, static_cast<size_t>(texts)}, carried, carried_floats_};
  for (const Block& block : blocks_) {
    {
      const ProfileScope scope(workspace.profile(), {"residual and norm"});
      const bool is_first = &block == &blocks_.front();
      for_rows([&](size_t at, int count) {
        if (is_first) {
          block.norm.Apply(count, x + at, y + at);
        } else {
          block.norm.AddAndApply(count, scale, x + at, y + at);
        }
      });
    }
    const ArenaScope scope(arena);
    const int inputs = rows;
    const auto mix = [&](const PlacedMixer& placed, float* out) {
      stretches(placed, of_texts);
      rows = LeaveReached(block, {of_texts, pass.texts.size()});
      const ArenaScope scope(arena);
      ProductInput input(inputs, dim_, y, workspace);
      placed.mixer->Forward(pass, input, out);
    };
    const auto add = [&](const float* from, float* to) {
      for_rows([&](size_t at, int count) {
        AddScaled(static_cast<size_t>(count) * dim_, 1, from + at, to + at);
      });
    };
    if (block.mixers.size() > 1) {
      // The last one's output replaces the input, which the others read too.
      float* sum = arena.Take<float>(floats);
      float* output = arena.Take<float>(floats);
      mix(block.mixers[0], sum);
      for (size_t i = 1; i + 1 < block.mixers.size(); ++i) {
        mix(block.mixers[i], output);
        add(output, sum);
      }
      mix(block.mixers.back(), y);
      add(sum, y);
    } else {
      mix(block.mixers[0], y);
    }
    CopyWanted(pass.texts, dim_, x, x);
    if (!block.output_norm.is_none()) {
      const ProfileScope scope(workspace.profile(), {"residual and norm"});
      for_rows([&](size_t at, int count) {
        block.output_norm.Apply(count, y + at, y + at);
      });
    }
    scale = block.residual_scale;
  }
  {
    const ProfileScope scope(workspace.profile(), {"residual and norm"});
    for_rows([&](size_t at, int count) {
      AddScaled(static_cast<size_t>(count) * dim_, scale, y + at, x + at);
    });
  }
}

}  // namespace fastweights
