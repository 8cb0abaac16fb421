// SPDX-License-Identifier: MIT
#pragma once

#include <fuzzer/FuzzedDataProvider.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/config.h"
#include "base/plan.h"
#include "base/result.h"
#include "formats/format.h"
#include "fuzz/golden_bytes.h"

namespace fastweights {

// What a file says before its weights.
struct ModelHeader {
  Config config;
  std::vector<TensorShape> tensors;  // no two of one name
};

// What follows the architecture's name in the keys of all golden models.
inline const std::vector<std::string>& KnownKeys() {
  static const auto* const keys = [] {
    std::set<std::string> found;
    for (int i = 0; i < kGoldenCount; ++i) {
      const GgufFile& file = GoldenGguf(i);
      const std::string prefix = *file.config().Text("general.architecture");
      for (const std::string& key : file.number_keys()) {
        if (key.starts_with(prefix)) found.insert(key.substr(prefix.size()));
      }
    }
    return new std::vector<std::string>(found.begin(), found.end());
  }();
  return *keys;
}

// Most of the numbers that come out are sizes that a tiny model can have.
inline double AnyNumber(FuzzedDataProvider& input, double before) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kOdd[] = {0.5,  -1,  1e-30, 65536, 65537, 2147483647,
                             1e10, NAN, 1e300, -0.0,  1e-6,  kInfinity};
  switch (input.ConsumeIntegralInRange(0, 7)) {
    case 0:
      return before * 2;
    case 1:
      return std::floor(before / 2);
    case 2:
      return before + 1;
    case 3:
      return kOdd[input.ConsumeIntegralInRange<size_t>(0, std::size(kOdd) - 1)];
    case 4:
      return 16 * input.ConsumeIntegralInRange(1, 16);
    default:
      return input.ConsumeIntegralInRange(0, 40);
  }
}

inline void ChangeKey(FuzzedDataProvider& input, Config& config) {
  const std::vector<std::string>& keys = KnownKeys();
  const std::string key =
      *config.Text("general.architecture") +
      keys[input.ConsumeIntegralInRange<size_t>(0, keys.size() - 1)];
  const double before = config.Number(key).value_or(1);
  const int count =
      input.ConsumeBool() ? 1 : input.ConsumeIntegralInRange(0, 5);
  std::vector<double> numbers;
  for (int i = 0; i < count; ++i) numbers.push_back(AnyNumber(input, before));
  config.SetNumbers(key, std::move(numbers));
}

inline int AnyType(FuzzedDataProvider& input) {
  const int kTypes[] = {
#define FORMAT(name) k##name##Format.type,
#include "formats/formats.inc"
#undef FORMAT
      17, -1};
  return kTypes[input.ConsumeIntegralInRange<size_t>(0, std::size(kTypes) - 1)];
}

inline void ChangeTensor(FuzzedDataProvider& input,
                         std::vector<TensorShape>& tensors) {
  if (tensors.empty()) return;
  const auto at = input.ConsumeIntegralInRange<size_t>(0, tensors.size() - 1);
  TensorShape& tensor = tensors[at];
  switch (input.ConsumeIntegralInRange(0, 5)) {
    case 0:
      tensors.erase(tensors.begin() + at);
      break;
    case 1:
      tensor.columns = input.ConsumeIntegralInRange(1, 600);
      break;
    case 2:
      tensor.rows = input.ConsumeIntegralInRange(1, 600);
      break;
    case 3:
      tensor.rows = input.ConsumeIntegralInRange(1, INT32_MAX);
      tensor.columns = input.ConsumeIntegralInRange(1, INT32_MAX);
      break;
    case 4:  // how TypeScript gives what has no place in 32 bits
      tensor.rows = tensor.columns = 0;
      break;
    default:
      tensor.type = AnyType(input);
  }
}

// A golden model's header, and what the input changes in it.
inline ModelHeader AnyHeader(FuzzedDataProvider& input) {
  const GgufFile& file =
      GoldenGguf(input.ConsumeIntegralInRange(0, kGoldenCount - 1));
  ModelHeader header = {file.config(), {}};
  for (const auto& tensor : file.tensors()) {
    header.tensors.push_back(tensor.shape);
  }
  // A model of few blocks takes a fraction of the time.
  if (const int blocks = input.ConsumeIntegralInRange(0, 5)) {
    header.config.SetNumbers(
        *file.config().Text("general.architecture") + ".block_count",
        {static_cast<double>(blocks)});
  }
  for (int i = input.ConsumeIntegralInRange(0, 6); i > 0; --i) {
    if (input.ConsumeIntegralInRange(0, 2) > 0) {
      ChangeKey(input, header.config);
    } else {
      ChangeTensor(input, header.tensors);
    }
  }
  // Matrices of another type, where their rows are whole blocks.
  if (input.ConsumeBool()) {
    const int type = AnyType(input);
    const Format* format = FindFormat(type);
    for (TensorShape& tensor : header.tensors) {
      const bool fits = format && tensor.columns % format->block == 0;
      if (fits && tensor.rows > 1) tensor.type = type;
    }
  }
  return header;
}

// Gives the tensor that the error is about the shape that the error asks for:
// so a changed size comes to be a model of that size, not always an error.
inline bool Repair(const Error& error, std::vector<TensorShape>& tensors) {
  if (error.code == "missing_tensor") {
    tensors.push_back({error.subject, kF32Format.type, 1, 1});
    return true;
  }
  const size_t needs = error.message.find("needs [");
  if (needs == std::string::npos) return false;
  int columns, rows;
  if (std::sscanf(error.message.c_str() + needs, "needs [%d, %d]", &columns,
                  &rows) != 2) {
    return false;
  }
  for (TensorShape& tensor : tensors) {
    if (tensor.name != error.subject) continue;
    tensor.columns = columns;
    tensor.rows = rows;
    const Format* format = FindFormat(tensor.type);
    if (!format || columns % format->block != 0) tensor.type = kF32Format.type;
    return true;
  }
  return false;
}

}  // namespace fastweights
