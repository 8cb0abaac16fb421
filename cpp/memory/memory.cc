// SPDX-License-Identifier: MIT
#include "memory/memory.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/check.h"
#include "kernels/linear_recurrence/linear_recurrence.h"

namespace fastweights {
namespace {

// Tokens that a rule takes at once: their inputs of 16 heads of 128 are 1.5 MB,
// and a head's state of 64 KB is fetched once for all of them.
constexpr int kBatchTokens = 64;

constexpr int kMostInputs = 8;

constexpr int kMostTokens = std::numeric_limits<int>::max();

// Rows of `from` columns to rows of `to`, the rest of which are zeros.
void CopyRows(size_t rows, int from_columns, const float* from, int to_columns,
              float* to) {
  const int common = std::min(from_columns, to_columns);
  for (size_t r = 0; r < rows; ++r, from += from_columns, to += to_columns) {
    std::copy_n(from, common, to);
    std::fill(to + common, to + to_columns, 0.0f);
  }
}

int StoredColumns(const Rows& rows) {
  return rows.padded ? Padded(rows.columns) : rows.columns;
}

// Calls at(number of an array as readers have it, floats from the matrix).
template <typename F>
void ForEach(const StateArray& array, const F& at) {
  LinearRecurrenceShape strips = {};
  strips.key_dim = array.stored_rows;
  strips.value_dim = array.stored_columns;
  size_t i = 0;
  for (int m = 0; m < array.matrices; ++m) {
    const size_t matrix = array.offset + m * array.stride;
    for (int r = 0; r < array.rows; ++r) {
      for (int c = 0; c < array.columns; ++c) {
        at(i++, matrix + (array.strips ? StateIndex(strips, r, c)
                                       : r * array.stored_columns + c));
      }
    }
  }
}

}  // namespace

std::unique_ptr<Memory> Memory::Make(const RuleSpec& spec,
                                     const MemoryShape& shape,
                                     const Config& settings) {
  std::unique_ptr<Memory> memory(new Memory());
  memory->spec_ = &spec;
  CHECK(spec.inputs.size() <= kMostInputs);
  memory->rule_ = spec.make(shape, Settings(spec.settings, shape, settings));
  if (!memory->Start()) return nullptr;
  memory->Reset();
  return memory;
}

bool Memory::Start() {
  // More than the address space of 32 bits could hold twice.
  constexpr uint64_t kMost = uint64_t{1} << 30;
  if (rule_->StateFloats() > kMost / sizeof(float) ||
      rule_->ScratchBytes(kBatchTokens) > kMost) {
    return false;
  }
  arrays_ = rule_->Arrays();
  state_ = MakeBuffer<float>(rule_->StateFloats());
  // The rule's own, and padded inputs and output.
  uint64_t scratch = rule_->ScratchBytes(kBatchTokens);
  const auto add = [&](const Rows& rows) {
    scratch += AlignedBytes(sizeof(float) * kBatchTokens * rows.count *
                            StoredColumns(rows));
  };
  for (const MemoryInput& input : spec_->inputs) {
    add(RowsOf(input.extent, rule_->given()));
  }
  add(RowsOf(Extent::kValue, rule_->given()));
  return state_ && scratch <= kMost && arena_.Reserve(scratch);
}

std::unique_ptr<Memory> Memory::Clone() const {
  std::unique_ptr<Memory> copy(new Memory());
  copy->spec_ = spec_;
  copy->rule_ = rule_;
  if (!copy->Start() || !copy->ReservePages(position_)) return nullptr;
  std::copy_n(state_.get(), rule_->StateFloats(), copy->state_.get());
  for (size_t i = 0; i < copy->pages_.size(); ++i) {
    std::copy_n(pages_[i].get(), page_floats(), copy->pages_[i].get());
  }
  copy->position_ = position_;
  return copy;
}

void Memory::Reset() {
  std::fill_n(state_.get(), rule_->StateFloats(), 0.0f);
  rule_->Begin(state_.get());
  pages_.clear();
  page_list_.clear();
  position_ = 0;
}

bool Memory::Reserve(int tokens) {
  if (tokens <= room_) return true;
  inputs_.clear();
  output_.reset();
  room_ = 0;
  const auto floats = [&](Extent extent) {
    return static_cast<size_t>(tokens) *
           RowsOf(extent, rule_->given()).floats();
  };
  for (const MemoryInput& input : spec_->inputs) {
    inputs_.push_back(MakeBuffer<float>(floats(input.extent)));
    if (!inputs_.back()) return false;
  }
  output_ = MakeBuffer<float>(floats(Extent::kValue));
  if (!output_) return false;
  room_ = tokens;
  return true;
}

bool Memory::ReservePages(int tokens) {
  if (page_floats() == 0) return true;
  const int held = pages();
  while (pages() < KvPageCount(tokens)) {
    Buffer<float> page = MakeBuffer<float>(page_floats());
    if (!page) {
      pages_.resize(held);
      page_list_.resize(held);
      return false;
    }
    // As all of a page is saved.
    std::fill_n(page.get(), page_floats(), 0.0f);
    page_list_.push_back(page.get());
    pages_.push_back(std::move(page));
  }
  return true;
}

// The tokens from `first` of the reserved inputs on, in the arena where they
// need padding.
RuleCall Memory::Call(int first, int tokens, const float** inputs) {
  const auto stretch = [&](const Rows& rows, const float* all) {
    const float* from = all + static_cast<size_t>(first) * rows.floats();
    const int stored = StoredColumns(rows);
    if (stored == rows.columns) return from;
    const size_t count = static_cast<size_t>(tokens) * rows.count;
    float* padded = arena_.Take<float>(count * stored);
    CopyRows(count, rows.columns, from, stored, padded);
    return const_cast<const float*>(padded);
  };
  for (size_t i = 0; i < inputs_.size(); ++i) {
    inputs[i] = stretch(RowsOf(spec_->inputs[i].extent, rule_->given()),
                        inputs_[i].get());
  }
  const Rows values = RowsOf(Extent::kValue, rule_->given());
  float* out = output_.get() + static_cast<size_t>(first) * values.floats();
  if (StoredColumns(values) != values.columns) {
    out = arena_.Take<float>(static_cast<size_t>(tokens) * values.count *
                             StoredColumns(values));
  }
  return {.position = position_,
          .tokens = tokens,
          .inputs = inputs,
          .state = state_.get(),
          .cache = {page_list_.data(), 0},
          .out = out,
          .arena = arena_};
}

// Takes a padded output to its place.
void Memory::Finish(int first, int tokens, const float* out) {
  const Rows values = RowsOf(Extent::kValue, rule_->given());
  const int stored = StoredColumns(values);
  if (stored == values.columns) return;
  CopyRows(static_cast<size_t>(tokens) * values.count, stored, out,
           values.columns,
           output_.get() + static_cast<size_t>(first) * values.floats());
}

bool Memory::Forward(int tokens) {
  DCHECK(tokens <= room_);
  if (tokens > kMostTokens - position_) return false;
  if (!ReservePages(position_ + tokens)) return false;
  std::array<const float*, kMostInputs> inputs;
  for (int first = 0; first < tokens; first += kBatchTokens) {
    const ArenaScope scope(arena_);
    const int count = std::min(kBatchTokens, tokens - first);
    const RuleCall call = Call(first, count, inputs.data());
    rule_->Forward(call);
    Finish(first, count, call.out);
    position_ += count;
  }
  if (!rule_->causal()) Read(tokens);
  return true;
}

void Memory::Read(int tokens) {
  DCHECK(tokens <= room_);
  std::array<const float*, kMostInputs> inputs;
  for (int first = 0; first < tokens; first += kBatchTokens) {
    const ArenaScope scope(arena_);
    const int count = std::min(kBatchTokens, tokens - first);
    const RuleCall call = Call(first, count, inputs.data());
    rule_->Read(call);
    Finish(first, count, call.out);
  }
}

void Memory::GetArray(int array, float* to) const {
  const float* state = state_.get();
  ForEach(arrays_[array], [&](size_t i, size_t at) { to[i] = state[at]; });
}

void Memory::SetArray(int array, const float* from) {
  float* state = state_.get();
  ForEach(arrays_[array], [&](size_t i, size_t at) { state[at] = from[i]; });
}

size_t Memory::StateBytes() const {
  return sizeof(float) *
         (rule_->StateFloats() + pages_.size() * rule_->KvPageFloats());
}

}  // namespace fastweights
