// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace fastweights {

// Tells bytes that were damaged where they were kept, 64 bits of it; nothing
// that somebody could not forge. As XXH3 does, it adds up products of pairs of
// 32-bit words, which no word leaves as they were, with keys that say where in
// a block they stand.
class Checksum {
 public:
  // Takes the next bytes. How bytes are cut into calls is part of what it says
  // of them.
  void Add(const uint8_t* bytes, size_t count);

  // 16 hex digits.
  std::string Hex() const;

 private:
  void Mix(uint64_t value);

  uint64_t state_ = 0;
};

}  // namespace fastweights
