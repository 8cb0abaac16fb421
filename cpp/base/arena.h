// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "base/allocation.h"
#include "base/check.h"

namespace fastweights {

// Every buffer starts on a cache line, and sizes round up to one.
inline constexpr size_t kAlignment = 64;

inline constexpr size_t AlignedBytes(size_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

// Of floats [rows, width].
inline constexpr size_t FloatBytes(size_t rows, size_t width) {
  return AlignedBytes(sizeof(float) * rows * width);
}

struct FreeDeleter {
  void operator()(void* memory) const { std::free(memory); }
};

template <typename T>
using Buffer = std::unique_ptr<T[], FreeDeleter>;

// Uninitialised memory for `count` elements; null when there is none left.
template <typename T>
Buffer<T> MakeBuffer(uint64_t count) {
  if (count > SIZE_MAX / sizeof(T) - kAlignment) return nullptr;
  const size_t bytes = AlignedBytes(static_cast<size_t>(count) * sizeof(T));
  return Buffer<T>(
      static_cast<T*>(Allocate(kAlignment, bytes == 0 ? kAlignment : bytes)));
}

// Bump allocator over one block reserved up front, so that a forward pass
// never allocates. Memory is given back by leaving an ArenaScope.
class Arena {
 public:
  // False: out of memory.
  bool Reserve(size_t bytes) {
    block_ = MakeBuffer<std::byte>(bytes);
    size_ = block_ ? AlignedBytes(bytes) : 0;
    used_ = 0;
    return block_ != nullptr;
  }

  template <typename T>
  T* Take(size_t count) {
    CHECK(count <= (size_ - used_) / sizeof(T));
    const size_t bytes = AlignedBytes(count * sizeof(T));
    CHECK(bytes <= size_ - used_);
    T* taken = reinterpret_cast<T*>(block_.get() + used_);
    used_ += bytes;
    return taken;
  }

  size_t size() const { return size_; }

 private:
  friend class ArenaScope;
  Buffer<std::byte> block_;
  size_t size_ = 0;
  size_t used_ = 0;
};

// Gives back, at its end, all that was taken from the arena since its start.
class ArenaScope {
 public:
  explicit ArenaScope(Arena& arena) : arena_(arena), mark_(arena.used_) {}
  ~ArenaScope() { arena_.used_ = mark_; }
  ArenaScope(const ArenaScope&) = delete;
  ArenaScope& operator=(const ArenaScope&) = delete;

 private:
  Arena& arena_;
  size_t mark_;
};

}  // namespace fastweights
