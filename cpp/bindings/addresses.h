// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace fastweights {

// Addresses of the heap cross to TypeScript as numbers.

template <typename T>
unsigned AddressOf(T* memory) {
  return static_cast<unsigned>(reinterpret_cast<uintptr_t>(memory));
}

template <typename T>
T* At(unsigned address) {
  return reinterpret_cast<T*>(static_cast<uintptr_t>(address));
}

}  // namespace fastweights
