// SPDX-License-Identifier: MIT
#include "memory/rule.h"

#include "kernels/linear_recurrence/linear_recurrence.h"

namespace fastweights {

#define RULE(describe) RuleSpec describe();
#include "memory/rules.inc"
#undef RULE

const std::vector<RuleSpec>& Rules() {
  static const std::vector<RuleSpec> rules = {
#define RULE(describe) describe(),
#include "memory/rules.inc"
#undef RULE
  };
  return rules;
}

const RuleSpec* FindRule(const std::string& name) {
  for (const RuleSpec& rule : Rules()) {
    if (rule.name == name) return &rule;
  }
  return nullptr;
}

void ReadStates(const RuleCall& call, const MemoryShape& shape,
                int state_stride) {
  const LinearRecurrenceShape cell = {.decay = Decay::kNone,
                                      .erase = Erase::kNone,
                                      .order = KeyHeads::kGrouped,
                                      .heads = shape.heads,
                                      .key_heads = shape.key_heads,
                                      .key_dim = shape.key_dim,
                                      .value_dim = shape.value_dim};
  LinearRecurrenceArgs args = {};
  args.q = call.inputs[0];
  args.q_stride = shape.key_heads * shape.key_dim;
  args.state = call.state;
  args.state_stride = state_stride;
  args.out = call.out;
  args.out_stride = shape.heads * shape.value_dim;
  for (int h = 0; h < shape.heads; ++h) {
    LinearRecurrenceRead(call.tokens, cell, args, h);
  }
}

}  // namespace fastweights
