// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/feature_maps/feature_maps.h"
#include "kernels/linear_recurrence/linear_recurrence.h"
#include "kernels/linear_recurrence/normaliser.h"
#include "memory/rule.h"

namespace fastweights {

// A call as a rule's own steps see it.
struct CellCall {
  const RuleCall& call;
  const MemoryShape& shape;  // of the rule, whose key_dim maps may change
  const Settings& settings;

  const float* input(int i) const { return call.inputs[i]; }
  // [call.tokens, floats] of the call's arena.
  float* Take(int floats) const {
    return call.arena.Take<float>(static_cast<size_t>(call.tokens) * floats);
  }
};

// What a rule of the general cell is, beside its names.
struct CellSpec {
  Decay decay = Decay::kNone;
  Erase erase = Erase::kNone;
  fastweights::Read read = fastweights::Read::kAfterWrite;
  enum class Norm {
    kNone,
    kSum,         // by q . z, z the sum of the keys
    kStabilised,  // mLSTM's; inputs 3 and 4 are its gates
  } norm = Norm::kNone;
  // Fills in what the cell takes beside q, k and v, and may replace these.
  void (*prepare)(const CellCall& cell, LinearRecurrenceArgs* args) = nullptr;
  // Floats that it takes for a token.
  int (*prepared_floats)(const MemoryShape& shape) = nullptr;
  // What is done to the output at the end.
  void (*finish)(const CellCall& cell) = nullptr;
};

// A rule that is the general cell (kernels/linear_recurrence).
class CellRule : public Rule {
 public:
  CellRule(const MemoryShape& given, const Settings& settings,
           const CellSpec& spec);

  std::vector<StateArray> Arrays() const override;
  uint64_t StateFloats() const override;
  uint64_t ScratchBytes(int tokens) const override;
  void Forward(const RuleCall& call) const override;
  void Read(const RuleCall& call) const override;
  bool causal() const override { return causal_; }

 protected:
  uint64_t MatrixFloats() const;
  const Settings& settings() const { return settings_; }

 private:
  // Rows of input `i`, [tokens, key_heads, cell_.key_dim], mapped and scaled.
  const float* Map(const RuleCall& call, int input, bool is_query) const;
  float* Sums(const RuleCall& call) const;         // [heads, key_dim]
  float* Stabilisers(const RuleCall& call) const;  // [heads]
  void Stabilise(const RuleCall& call, LinearRecurrenceArgs* args,
                 const float** floor) const;

  CellSpec spec_;
  Settings settings_;
  FeatureMapShape map_;
  LinearRecurrenceShape cell_;  // key_dim is that of the features
  float scale_, epsilon_;
  bool causal_;
};

// For a line of rules.inc.
template <const CellSpec& spec>
std::unique_ptr<Rule> MakeCellRule(const MemoryShape& given,
                                   const Settings& settings) {
  return std::make_unique<CellRule>(given, settings, spec);
}

// What queries are multiplied by, `scale`.
Setting ScaleSetting();

// `scale`, then the choice of feature map, one of them by default, and what the
// maps take.
std::vector<Setting> MapSettings(FeatureMap by_default = FeatureMap::kIdentity);

// a, then b.
std::vector<Setting> Joined(std::vector<Setting> a, std::vector<Setting> b);

}  // namespace fastweights
