// SPDX-License-Identifier: MIT
#pragma once

#include "base/threads.h"

namespace fastweights {

// Takes a loop's tasks from the last to the first, on threads of odd numbers:
// what threads may do, but the same at every run.
class OddThreads final : public Threads {
 public:
  explicit OddThreads(int count) : count_(count) {}
  int count() const override { return count_; }

 protected:
  void Share(int tasks, Task task, const void* body) override {
    for (int i = tasks - 1; i >= 0; --i) task(body, i, (7 * i + 2) % count_);
  }

 private:
  int count_;
};

}  // namespace fastweights
