// SPDX-License-Identifier: MIT
#include "base/checksum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "random.h"

namespace fastweights {
namespace {

std::vector<uint8_t> RandomBytes(size_t count) {
  Random random(3);
  std::vector<uint8_t> bytes(count);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random.Below(256));
  return bytes;
}

std::string Of(const std::vector<uint8_t>& bytes) {
  Checksum checksum;
  checksum.Add(bytes.data(), bytes.size());
  return checksum.Hex();
}

// A flipped bit, two places that are swapped, a page of zeros or of another
// place, a byte less or more: what a disk does.
TEST(Checksum, ChangesWithWhatHappensToKeptBytes) {
  const std::vector<uint8_t> bytes = RandomBytes(150'003);
  std::set<std::string> seen = {Of(bytes)};
  EXPECT_EQ(seen.begin()->size(), 16u);
  size_t tried = 1;
  const auto look = [&](const std::vector<uint8_t>& changed) {
    seen.insert(Of(changed));
    ++tried;
  };
  for (size_t at = 0; at < bytes.size(); at += 997) {
    std::vector<uint8_t> changed = bytes;
    changed[at] ^= static_cast<uint8_t>(1 << at % 8);
    look(changed);
  }
  for (const size_t distance : {4, 32, 64, 4096, 65536}) {
    std::vector<uint8_t> changed = bytes;
    std::swap_ranges(changed.begin(), changed.begin() + 4,
                     changed.begin() + distance);
    look(changed);
  }
  for (size_t page = 0; page + 8192 < bytes.size(); page += 8192) {
    std::vector<uint8_t> changed = bytes;
    std::fill_n(changed.begin() + page, 4096, uint8_t{0});
    look(changed);
    std::copy_n(bytes.begin() + page + 4096, 4096, changed.begin() + page);
    look(changed);
  }
  for (const size_t size : {0, 1, 63, 64, 65, 150'002}) {
    look({bytes.begin(), bytes.begin() + size});
  }
  std::vector<uint8_t> longer = bytes;
  longer.push_back(0);
  look(longer);
  EXPECT_EQ(seen.size(), tried);
}

TEST(Checksum, ZerosCountToo) {
  std::set<std::string> seen;
  for (size_t size = 0; size < 200; ++size) {
    seen.insert(Of(std::vector<uint8_t>(size)));
  }
  EXPECT_EQ(seen.size(), 200u);
}

}  // namespace
}  // namespace fastweights
