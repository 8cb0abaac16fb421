// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fastweights {

// The metadata of a model file: key -> text, or one or several numbers.
// Filled by TypeScript, which parses files; read by cpp/architectures.
class Config {
 public:
  void SetText(const std::string& key, std::string value) {
    texts_[key] = std::move(value);
  }
  void SetNumbers(const std::string& key, std::vector<double> values) {
    numbers_[key] = std::move(values);
  }

  std::optional<std::string> Text(const std::string& key) const {
    const auto found = texts_.find(key);
    if (found == texts_.end()) return std::nullopt;
    return found->second;
  }

  // Files write a per-layer figure as one number or as a list: `index` picks
  // from a list and is ignored for a single number.
  std::optional<double> Number(const std::string& key, size_t index = 0) const {
    const auto found = numbers_.find(key);
    if (found == numbers_.end() || found->second.empty()) return std::nullopt;
    if (found->second.size() == 1) return found->second[0];
    if (index >= found->second.size()) return std::nullopt;
    return found->second[index];
  }

  // The list under a key; null when there is none.
  const std::vector<double>* List(const std::string& key) const {
    const auto found = numbers_.find(key);
    return found == numbers_.end() ? nullptr : &found->second;
  }

 private:
  std::map<std::string, std::string> texts_;
  std::map<std::string, std::vector<double>> numbers_;
};

}  // namespace fastweights
