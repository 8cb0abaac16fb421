// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/arena.h"
#include "kernels/softmax_attention/softmax_attention.h"
#include "memory/settings.h"

namespace fastweights {

// What of a token an input is, where reading and writing by key are concerned.
enum class Role { kQuery, kKey, kValue, kGate };

struct MemoryInput {
  const char* name;
  Extent extent;
  Role role;
  float absent = 0;       // of a gate that a write does not give
  bool like_key = false;  // or else the key is taken
  bool optional = false;  // whether a token may come without it too
};

inline constexpr MemoryInput kQueryInput = {"q", Extent::kKey, Role::kQuery};
inline constexpr MemoryInput kKeyInput = {"k", Extent::kKey, Role::kKey};
inline constexpr MemoryInput kValueInput = {"v", Extent::kValue, Role::kValue};

// Numbers of a memory that a reader knows by a name: matrices [rows, columns].
struct StateArray {
  const char* name;
  int matrices, rows, columns;
  int stored_rows, stored_columns;  // with their padding
  bool strips;      // columns in strips, as StateIndex says, or rows whole
  uint64_t offset;  // floats from the start of the state
  uint64_t stride;  // floats from one matrix to the next
};

// A stretch of tokens for a rule. Rows have their padding, which is zeros.
struct RuleCall {
  int position;  // tokens since the memory was empty
  int tokens;
  const float* const* inputs;  // [tokens, an input's extent] of each
  float* state;                // [StateFloats()]
  KvPages cache;               // with room for position + tokens
  float* out;                  // [tokens, heads, value_dim]; not an input
  Arena& arena;
};

// An associative memory's way to decay, erase, write and read. Holds settings,
// no state.
class Rule {
 public:
  explicit Rule(const MemoryShape& given)
      : given_(given), shape_(Padded(given)) {}
  virtual ~Rule() = default;

  // As asked for, and with dimensions that are multiples of 4.
  const MemoryShape& given() const { return given_; }
  const MemoryShape& shape() const { return shape_; }

  virtual std::vector<StateArray> Arrays() const = 0;
  virtual uint64_t StateFloats() const = 0;
  // Floats that each page of kPageTokens tokens adds.
  virtual size_t KvPageFloats() const { return 0; }
  virtual uint64_t ScratchBytes(int tokens) const = 0;
  // Whether a token's output depends on the tokens up to it alone.
  virtual bool causal() const { return true; }

  // An empty memory, of a state that is all zeros.
  virtual void Begin(float*) const {}
  // Writes the tokens and reads after each.
  virtual void Forward(const RuleCall& call) const = 0;
  // Reads only: of the inputs, the query's.
  virtual void Read(const RuleCall& call) const = 0;

 private:
  MemoryShape given_, shape_;
};

// A line of rules.inc: what TypeScript and the memory know of a rule.
struct RuleSpec {
  const char* name;
  // The query's, the key's and the value's first, of those that there are.
  std::vector<MemoryInput> inputs;
  std::vector<Setting> settings;
  std::unique_ptr<Rule> (*make)(const MemoryShape&, const Settings&);
  // Whether there may be fewer key heads than heads.
  bool groups = true;
  // Whether dimensions need not be multiples of 4: zeros in their place change
  // nothing.
  bool pads = true;
  // Whether key_dim and value_dim must be the same.
  bool square = false;
};

// S^T q of heads whose states lie in strips, `state_stride` floats apart.
void ReadStates(const RuleCall& call, const MemoryShape& shape,
                int state_stride);

// All rules, in the order of rules.inc.
const std::vector<RuleSpec>& Rules();

// Null for no rule's name.
const RuleSpec* FindRule(const std::string& name);

}  // namespace fastweights
