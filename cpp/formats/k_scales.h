// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace fastweights {

struct GroupScale {
  int scale;    // 0 to 63
  int minimum;  // 0 to 63
};

// Scale and minimum of group 0 to 7 from the 12 bytes that Q4_K and Q5_K share:
// groups 0-3 lie in the low six bits of bytes 0-3 and 4-7, groups 4-7 in the
// nibbles of bytes 8-11 and the upper two bits of bytes 0-7.
inline GroupScale UnpackGroupScale(const uint8_t* packed, int group) {
  if (group < 4) return {packed[group] & 63, packed[group + 4] & 63};
  return {(packed[group + 4] & 15) | packed[group - 4] >> 6 << 4,
          packed[group + 4] >> 4 | packed[group] >> 6 << 4};
}

}  // namespace fastweights
