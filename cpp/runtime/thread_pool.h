// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "base/threads.h"

namespace fastweights {

// The caller and count - 1 threads of pthreadpool's, which end with the
// object. Threads whose share of a loop is done take over tasks of slower
// ones; between loops they spin for a moment (Threads::Use: for a longer one),
// then sleep. The caller alone
// where count is 1, the build has no threads or there is no memory for them.
std::unique_ptr<Threads> MakeThreads(int count);

}  // namespace fastweights
