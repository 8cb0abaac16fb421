// SPDX-License-Identifier: MIT
#include "base/deep_call.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace fastweights {

#ifdef __wasm__

namespace {

// As many as find no register, of eight bytes each.
constexpr size_t kValues = 256;

// What is read before a call and written behind it is kept meanwhile, which is
// all that uses a frame of the engine's: what is put on the stack here lies in
// the module's memory.
template <size_t... i>
void Keeping(void (*run)(const void*), const void* context,
             std::index_sequence<i...>) {
  static constexpr volatile int64_t kNothing[kValues] = {};
  volatile int64_t written[kValues];
  const std::array<int64_t, kValues> kept = {kNothing[i]...};
  run(context);
  (void(written[i] = kept[i]), ...);
}

}  // namespace

[[gnu::noinline]] void DeepCall(void (*run)(const void*), const void* context) {
  Keeping(run, context, std::make_index_sequence<kValues>());
}

#else

void DeepCall(void (*run)(const void*), const void* context) { run(context); }

#endif

}  // namespace fastweights
