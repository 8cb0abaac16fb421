// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <sstream>
#include <string>

#include "golden_file.h"

namespace fastweights {

using GoldenArrays = std::map<std::string, std::vector<float>>;

// The arrays, by name, of a case that golden/kernels.py has written.
inline GoldenArrays ReadGoldenCase(const std::string& operation, int tokens) {
  std::istringstream index(ReadGolden("kernels/index.txt"));
  const std::string bytes = ReadGolden("kernels/" + operation + "_T" +
                                       std::to_string(tokens) + ".bin");
  GoldenArrays arrays;
  std::string name, array;
  int length = 0, offset = 0, count = 0;
  while (index >> name >> length >> array >> offset >> count) {
    if (name != operation || length != tokens) continue;
    arrays[array] = GoldenFloats(bytes, offset, count);
  }
  EXPECT_FALSE(arrays.empty()) << operation << " is not in the index";
  return arrays;
}

}  // namespace fastweights
