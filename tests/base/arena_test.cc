// SPDX-License-Identifier: MIT
#include "base/arena.h"

#include <gtest/gtest.h>

#include <cstring>

namespace fastweights {
namespace {

bool IsAligned(const void* address) {
  return reinterpret_cast<uintptr_t>(address) % kAlignment == 0;
}

TEST(Arena, PiecesAreAlignedAndApart) {
  Arena arena;
  ASSERT_TRUE(arena.Reserve(3 * kAlignment));
  float* first = arena.Take<float>(1);
  int8_t* second = arena.Take<int8_t>(65);
  EXPECT_TRUE(IsAligned(first) && IsAligned(second));
  EXPECT_EQ(reinterpret_cast<int8_t*>(first) + kAlignment, second);
  // Exactly what was reserved may be written.
  std::memset(second, 1, 2 * kAlignment);
}

TEST(Arena, ScopesGiveBackInOrder) {
  Arena arena;
  ASSERT_TRUE(arena.Reserve(4 * kAlignment));
  arena.Take<float>(16);
  float* outer = nullptr;
  {
    const ArenaScope scope(arena);
    outer = arena.Take<float>(16);
    for (int i = 0; i < 100; ++i) {
      const ArenaScope inner(arena);
      arena.Take<float>(32);
    }
  }
  EXPECT_EQ(arena.Take<float>(48), outer);
}

TEST(Arena, ReserveStartsOver) {
  Arena arena;
  EXPECT_EQ(arena.size(), 0u);
  ASSERT_TRUE(arena.Reserve(100));
  arena.Take<int8_t>(100);
  ASSERT_TRUE(arena.Reserve(1000));
  EXPECT_EQ(arena.size(), AlignedBytes(1000));
  arena.Take<int8_t>(1000);
}

TEST(MakeBuffer, IsAlignedAndNeverNullWhereThereIsMemory) {
  for (const size_t count : {0, 1, 15, 16, 17, 1000}) {
    const Buffer<float> buffer = MakeBuffer<float>(count);
    ASSERT_NE(buffer, nullptr) << count;
    EXPECT_TRUE(IsAligned(buffer.get()));
  }
}

TEST(MakeBuffer, SizesThatOverflowGiveNull) {
  EXPECT_EQ(MakeBuffer<double>(SIZE_MAX / 4), nullptr);
  EXPECT_EQ(MakeBuffer<double>(SIZE_MAX), nullptr);
}

}  // namespace
}  // namespace fastweights
