// SPDX-License-Identifier: MIT
#include "architectures/architecture.h"

#include <algorithm>
#include <string_view>

namespace fastweights {
namespace {

// Names of one family begin alike: qwen35moe and qwen35.
size_t LettersInCommon(std::string_view a, std::string_view b) {
  return std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first -
         a.begin();
}

// A name out of a file may be of any length; cut between code points.
constexpr size_t kMostShown = 60;

std::string Shown(const std::string& name) {
  if (name.size() <= kMostShown) return name;
  size_t end = kMostShown;
  while (end > 0 && (name[end] & 0xc0) == 0x80) --end;
  return name.substr(0, end) + "...";
}

// Fewer have many names in common by chance.
constexpr size_t kLeastInCommon = 3;

}  // namespace

#define ARCHITECTURE(key, plan) \
  Result<ModelPlan> plan(const Config&, const TensorTable&);
#include "architectures/architectures.inc"
#undef ARCHITECTURE

namespace {

struct Architecture {
  std::string_view key;
  Result<ModelPlan> (*plan)(const Config&, const TensorTable&);
};

// Called by address: inlined into one they were the largest function of all,
// which took V8 12 ms to compile for the one that a file wants.
constexpr Architecture kArchitectures[] = {
#define ARCHITECTURE(key, plan) {key, plan},
#include "architectures/architectures.inc"
#undef ARCHITECTURE
};

}  // namespace

Result<ModelPlan> MakePlan(const Config& config, const TensorTable& tensors) {
  const auto name = config.Text("general.architecture");
  if (!name) {
    return Error{"invalid_metadata", "general.architecture",
                 "the file names no architecture"};
  }
  std::string known;
  std::string_view nearest;
  for (const auto& [key, plan] : kArchitectures) {
    if (*name == key) return plan(config, tensors);
    known.append(known.empty() ? "" : ", ").append(key);
    if (LettersInCommon(*name, key) > LettersInCommon(*name, nearest)) {
      nearest = key;
    }
  }
  const std::string shown = Shown(*name);
  std::string message = "architecture '" + shown + "' is not supported";
  if (LettersInCommon(*name, nearest) >= kLeastInCommon) {
    message += "; the nearest is '" + std::string(nearest) + "'";
  }
  return Error{"unsupported_architecture", shown,
               message + " (of " + known + ")"};
}

}  // namespace fastweights
