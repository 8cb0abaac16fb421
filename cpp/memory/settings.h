// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "base/config.h"
#include "memory/memory_shape.h"

namespace fastweights {

// What the maker of a memory may choose of a rule. Where `choices` are given it
// is one of them, the first by default; where the extent is kOne, a number;
// else numbers of that extent.
struct Setting {
  const char* name;
  double value = 0;  // by default
  double least = 0, most = 0;
  bool whole = false;
  bool flag = false;  // 0 or 1: false or true
  std::vector<const char*> choices = {};
  Extent extent = Extent::kOne;
  // Of an extent, by default: at a row's column. Null: may be left out.
  float (*at)(const MemoryShape& shape, int row, int column) = nullptr;
};

// Settings as their rule takes them: everything that has a default is there.
class Settings {
 public:
  // `given` is checked; arrays in it are without padding of `shape`.
  Settings(const std::vector<Setting>& settings, const MemoryShape& shape,
           const Config& given);

  bool Has(const std::string& name) const;
  double Number(const std::string& name) const;
  // Of a rule that may not have the setting.
  double NumberOr(const std::string& name, double otherwise) const;
  const std::string& Choice(const std::string& name) const;
  // With rows padded to multiples of 4; null where one without default is left
  // out.
  const float* Array(const std::string& name) const;

 private:
  std::map<std::string, double> numbers_;
  std::map<std::string, std::string> choices_;
  std::map<std::string, std::vector<float>> arrays_;
};

// The next multiple of 4.
inline int Padded(int dim) { return (dim + 3) / 4 * 4; }

inline MemoryShape Padded(const MemoryShape& shape) {
  return {shape.heads, shape.key_heads, Padded(shape.key_dim),
          Padded(shape.value_dim)};
}

}  // namespace fastweights
