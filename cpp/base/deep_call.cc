// SPDX-License-Identifier: MIT
#include "base/deep_call.h"

#ifdef __wasm__

#include <array>
#include <cstddef>
#include <utility>

namespace fastweights {
namespace {

// As many as take two KB.
constexpr size_t kVectors = 128;
using Vector = int __attribute__((vector_size(16)));

// What is read before a call and written behind it is kept meanwhile, which is
// all that uses a frame of the engine's: what C++ puts on the stack lies in the
// module's memory.
template <size_t... i>
void Keeping(void (*run)(const void*), const void* context,
             std::index_sequence<i...>) {
  static constexpr volatile Vector kNothing[kVectors] = {};
  volatile Vector written[kVectors];
  const std::array<Vector, kVectors> kept = {kNothing[i]...};
  run(context);
  (void(written[i] = kept[i]), ...);
}

}  // namespace

[[gnu::noinline]] void DeepCall(void (*run)(const void*), const void* context) {
  Keeping(run, context, std::make_index_sequence<kVectors>());
}

}  // namespace fastweights

#else

namespace fastweights {

void DeepCall(void (*run)(const void*), const void* context) { run(context); }

}  // namespace fastweights

#endif
