// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/threads.h"

namespace fastweights {

// Fresh memory that the caller is about to fill from its beginning, and that
// other threads touch meanwhile from its end: whoever comes to a page first
// waits 2 us for its 4 KB, six times as long as reading a file into it takes
// then.
class FreshMemory {
 public:
  // In place of what it was of.
  void Take(const std::vector<std::span<uint8_t>>& parts);

  // Calls work() once, in the caller's thread; the others touch what is left,
  // until it returns, and change no byte. Not from within a loop of theirs.
  void Fill(Threads& threads, const std::function<void()>& work);

 private:
  std::vector<std::span<uint8_t>> blocks_;
  int left_ = 0;  // of them, from the first on
};

}  // namespace fastweights
