// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace fastweights {

// The bytes of tests/golden/<path>. A missing file fails the test.
inline std::string ReadGolden(const std::string& path) {
  const std::string full = std::string(FASTWEIGHTS_GOLDEN_DIR) + "/" + path;
  std::string bytes;
  std::FILE* file = std::fopen(full.c_str(), "rb");
  if (file == nullptr) {
    ADD_FAILURE() << "cannot open " << full;
    return bytes;
  }
  char part[1 << 16];
  while (const size_t read = std::fread(part, 1, sizeof(part), file)) {
    bytes.append(part, read);
  }
  std::fclose(file);
  return bytes;
}

// Little-endian float32 from `offset` on; all there is if count is negative.
inline std::vector<float> GoldenFloats(const std::string& bytes,
                                       size_t offset = 0, int count = -1) {
  const size_t there = offset * sizeof(float) <= bytes.size()
                           ? bytes.size() / sizeof(float) - offset
                           : 0;
  const size_t wanted = count < 0 ? there : static_cast<size_t>(count);
  if (wanted > there) {
    ADD_FAILURE() << "the golden file is too short";
    return std::vector<float>(wanted);
  }
  std::vector<float> values(wanted);
  std::memcpy(values.data(), bytes.data() + offset * sizeof(float),
              wanted * sizeof(float));
  return values;
}

}  // namespace fastweights
