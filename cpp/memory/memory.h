// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "base/arena.h"
#include "memory/rule.h"

namespace fastweights {

// One associative memory: a rule and its state.
class Memory {
 public:
  // `settings` are checked. Null: out of memory.
  static std::unique_ptr<Memory> Make(const RuleSpec& spec,
                                      const MemoryShape& shape,
                                      const Config& settings);

  // A copy that goes on from here by itself. Null: out of memory.
  std::unique_ptr<Memory> Clone() const;

  // Forgets everything.
  void Reset();

  // Makes room for so many tokens of each input and of the output; addresses
  // from before are no longer good. False: out of memory, there is no room.
  bool Reserve(int tokens);
  // Of input i, [tokens, its extent].
  float* input(int i) const { return inputs_[i].get(); }
  float* output() const { return output_.get(); }  // [tokens, heads, value_dim]
  int room() const { return room_; }

  // Writes tokens and reads after each. False: out of memory, or more tokens
  // than are counted; nothing changed.
  bool Forward(int tokens);
  // Reads with the queries of so many tokens; changes nothing.
  void Read(int tokens);

  const std::vector<StateArray>& arrays() const { return arrays_; }
  // [matrices, rows, columns] of an array, rows whole.
  void GetArray(int array, float* to) const;
  void SetArray(int array, const float* from);
  // Tokens that were written since the start, which some rules go by.
  int position() const { return position_; }
  void set_position(int position) { position_ = position; }
  // Where the rule keeps all keys and values: those of a page of kPageTokens
  // tokens, in the kernel's layout.
  size_t page_floats() const { return rule_->KvPageFloats(); }
  int pages() const { return static_cast<int>(pages_.size()); }
  float* page(int i) const { return pages_[i].get(); }
  // Pages for so many tokens in all, of zeros. False: out of memory, nothing
  // changed.
  bool ReservePages(int tokens);

  size_t StateBytes() const;

 private:
  Memory() = default;
  bool Start();

  RuleCall Call(int first, int tokens, const float** inputs);
  void Finish(int first, int tokens, const float* out);

  const RuleSpec* spec_ = nullptr;
  std::shared_ptr<const Rule> rule_;
  std::vector<StateArray> arrays_;
  Buffer<float> state_;
  std::vector<Buffer<float>> pages_;
  std::vector<float*> page_list_;
  int position_ = 0;
  int room_ = 0;
  std::vector<Buffer<float>> inputs_;
  Buffer<float> output_;
  Arena arena_;
};

}  // namespace fastweights
