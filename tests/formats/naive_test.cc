// SPDX-License-Identifier: MIT
#include "formats/naive.h"

#include <cstdio>
#include <sstream>

#include "formats/format.h"
#include "golden_file.h"
#include "kernel_test.h"

namespace fastweights {
namespace {

// One line of golden/formats/manifest.json: encoded bytes and the float64
// values that they stand for, in one file.
struct Golden {
  int id, count, bytes_at, bytes, values_at;
  std::string name, file;
};

std::vector<Golden> ReadManifest() {
  std::vector<Golden> all;
  std::istringstream manifest(ReadGolden("formats/manifest.json"));
  for (std::string line; std::getline(manifest, line);) {
    Golden golden;
    char name[16], file[32];
    if (std::sscanf(line.c_str(),
                    " {\"type\":\"%15[^\"]\",\"id\":%d,\"count\":%d,"
                    "\"file\":\"%31[^\"]\",\"bytesOffset\":%d,\"bytes\":%d,"
                    "\"valuesOffset\":%d",
                    name, &golden.id, &golden.count, file, &golden.bytes_at,
                    &golden.bytes, &golden.values_at) == 7) {
      golden.name = name;
      golden.file = file;
      all.push_back(golden);
    }
  }
  return all;
}

void ExpectValues(const Format& format, const Golden& golden) {
  const std::string file = ReadGolden("formats/" + golden.file);
  ASSERT_GE(file.size(), golden.values_at + sizeof(double) * golden.count);
  ASSERT_EQ(format.RowBytes(golden.count), static_cast<size_t>(golden.bytes));
  const uint8_t* bytes =
      reinterpret_cast<const uint8_t*>(file.data()) + golden.bytes_at;
  const std::vector<double> slow =
      DequantiseNaive(format.type, bytes, golden.count);
  std::vector<float> fast(golden.count);
  format.dequantise(bytes, golden.count, fast.data());
  for (int i = 0; i < golden.count; ++i) {
    double expected;
    std::memcpy(&expected, file.data() + golden.values_at + sizeof(double) * i,
                sizeof(expected));
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(slow[i]) && std::isnan(fast[i])) << i;
    } else {
      EXPECT_EQ(slow[i], expected) << i;
      EXPECT_EQ(fast[i], static_cast<float>(expected)) << i;
    }
  }
}

TEST(DequantiseNaive, GivesTheGoldenValuesOfEveryFormat) {
  const std::vector<Golden> manifest = ReadManifest();
#define FORMAT(entry)                                   \
  {                                                     \
    SCOPED_TRACE(k##entry##Format.name);                \
    bool found = false;                                 \
    for (const Golden& golden : manifest) {             \
      if (golden.id != k##entry##Format.type) continue; \
      found = true;                                     \
      EXPECT_EQ(golden.name, k##entry##Format.name);    \
      ExpectValues(k##entry##Format, golden);           \
    }                                                   \
    EXPECT_TRUE(found) << "has no golden values";       \
  }
#include "formats/formats.inc"
#undef FORMAT
}

}  // namespace
}  // namespace fastweights
