// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "base/config.h"
#include "base/result.h"

namespace fastweights {

// Reads the numbers under one architecture's prefix, each within a range that
// no real model leaves. The first that is missing or outside is kept in
// error(); what is returned for it is the range's lower end.
class HyperParameters {
 public:
  HyperParameters(const Config& config, std::string prefix)
      : config_(config), prefix_(std::move(prefix)) {}

  double Number(const std::string& name, double low, double high,
                std::optional<double> otherwise = std::nullopt,
                size_t index = 0) {
    const std::string key = prefix_ + name;
    std::optional<double> value = config_.Number(key, index);
    if (!value) value = otherwise;
    if (!value) return Fail(key, "is missing", low);
    // Written so that NaN fails.
    if (!(*value >= low && *value <= high)) {
      return Fail(key, "is out of range", low);
    }
    return *value;
  }

  int Size(const std::string& name, int low, int high,
           std::optional<double> otherwise = std::nullopt, size_t index = 0) {
    const double value = Number(name, low, high, otherwise, index);
    if (value != std::floor(value)) {
      Fail(prefix_ + name, "is not a whole number", low);
      return low;
    }
    return static_cast<int>(value);
  }

  bool Has(const std::string& name) const {
    return config_.Number(prefix_ + name).has_value();
  }

  // Keeps an error unless the condition holds.
  void Require(bool condition, const std::string& name, const char* message) {
    if (!condition) Fail(prefix_ + name, message, 0);
  }

  // The place of a key's text among those that are known; another is the error
  // unsupported_architecture.
  int Choice(const std::string& name, const std::vector<std::string>& known,
             int otherwise = 0) {
    const auto text = config_.Text(prefix_ + name);
    if (!text) return otherwise;
    for (size_t i = 0; i < known.size(); ++i) {
      if (known[i] == *text) return static_cast<int>(i);
    }
    Unsupported(name, "'" + *text + "'");
    return otherwise;
  }

  // Keeps the error unsupported_architecture where the key has a number, or a
  // text, that changes what is computed in a way that nothing here implements:
  // any but the one that changes nothing.
  void Refuse(const std::string& name, double but) {
    const auto value = config_.Number(prefix_ + name);
    if (value && *value != but) Unsupported(name, "what it says");
  }
  void RefuseText(const std::string& name, const char* but) {
    const auto text = config_.Text(prefix_ + name);
    if (text && *text != but) Unsupported(name, "'" + *text + "'");
  }
  // Of a tensor that has more rows than any model.
  void RefuseRows(const std::string& name, int most) {
    if (error_) return;
    error_ = Error{"shape_mismatch", name,
                   "tensor '" + name + "' has more than " +
                       std::to_string(most) + " rows"};
  }

  // As Refuse, of a tensor that is there.
  void RefuseTensor(const std::string& name, const std::string& what) {
    if (error_) return;
    error_ = Error{"unsupported_architecture", name,
                   what + " ('" + name + "') are not supported"};
  }

  const std::optional<Error>& error() const { return error_; }

 private:
  void Unsupported(const std::string& name, const std::string& what) {
    if (error_) return;
    const std::string key = prefix_ + name;
    error_ = Error{"unsupported_architecture", key,
                   what + " under '" + key + "' is not supported"};
  }

  double Fail(const std::string& key, const std::string& message,
              double value) {
    if (!error_) {
      error_ = Error{"invalid_metadata", key, "'" + key + "' " + message};
    }
    return value;
  }

  const Config& config_;
  std::string prefix_;
  std::optional<Error> error_;
};

}  // namespace fastweights
