// SPDX-License-Identifier: MIT
#include "base/allocation.h"

#include <cstdlib>
#include <new>

#include "base/check.h"

namespace fastweights {
namespace {

// A load's tables of a thousand tensors take less; texts take some kilobytes.
constexpr size_t kReserveBytes = 256 << 10;

void* reserve = nullptr;
int left_until_refusal = -1;

// What `new` calls before it tries once more.
void SpendReserve() {
  CHECK(reserve != nullptr);
  std::free(reserve);
  reserve = nullptr;
}

bool HoldReserve() {
  if (reserve == nullptr) {
    reserve = std::malloc(kReserveBytes);
    std::set_new_handler(SpendReserve);
  }
  return reserve != nullptr;
}

}  // namespace

void* Allocate(size_t alignment, size_t bytes) {
  if (left_until_refusal >= 0 && left_until_refusal-- == 0) return nullptr;
  return HoldReserve() ? std::aligned_alloc(alignment, bytes) : nullptr;
}

void RefuseAllocationAfter(int count) { left_until_refusal = count; }

bool HasRefusedAllocation() { return left_until_refusal < 0; }

}  // namespace fastweights
