// SPDX-License-Identifier: MIT
#pragma once

#include "base/deep_call.h"

namespace fastweights {

// What threads do between the loops of a pass: they sleep, and are woken for
// the next; they wait awake, for a tenth of a millisecond; or they are left out
// of it, and the caller does all alone.
enum class ThreadUse { kSleep, kSpin, kAlone };
inline constexpr int kThreadUses = 3;

// The threads that share a loop's iterations, the caller's among them. This
// one is the caller alone; runtime/thread_pool.h has more.
class Threads {
 public:
  virtual ~Threads() = default;

  virtual int count() const { return 1; }

  // That share a loop now, the way they are used.
  int sharing() const { return use_ == ThreadUse::kAlone ? 1 : count(); }

  // Until it is called again; kSleep at first. No result depends on it.
  void Use(ThreadUse use) {
    if (use == use_) return;
    use_ = use;
    KeepAwake(use == ThreadUse::kSpin);
  }

  // Whether bodies are called deeper on the stack (base/deep_call.h), until it
  // is called again. No result depends on it.
  void CallDeeper(bool deeper) { deeper_ = deeper; }

  // Calls body(task, thread) once for each task in [0, tasks), in no order,
  // thread in [0, count()); returns when all are done. Not from within a body.
  template <typename Body>
  void For(int tasks, const Body& body) {
    if (tasks <= 1 || sharing() == 1) {
      const auto all = [&] {
        for (int task = 0; task < tasks; ++task) body(task, 0);
      };
      (deeper_ ? DeepCall : PlainCall)(
          [](const void* context) {
            (*static_cast<const decltype(all)*>(context))();
          },
          &all);
      return;
    }
    const Loop loop = {[](const void* context, int task, int thread) {
                         (*static_cast<const Body*>(context))(task, thread);
                       },
                       &body};
    if (deeper_) {
      Share(tasks, DeepTask, &loop);
    } else {
      Share(tasks, loop.task, loop.body);
    }
  }

 protected:
  using Task = void (*)(const void* body, int task, int thread);
  struct Loop {
    Task task;
    const void* body;
  };
  virtual void Share(int tasks, Task task, const void* body) {
    for (int i = 0; i < tasks; ++i) task(body, i, 0);
  }
  virtual void KeepAwake(bool) {}

 private:
  struct OneTask {
    const Loop& loop;
    int task, thread;
  };

  static void PlainCall(void (*run)(const void*), const void* context) {
    run(context);
  }
  static void DeepTask(const void* loop, int task, int thread) {
    const OneTask one = {*static_cast<const Loop*>(loop), task, thread};
    DeepCall(
        [](const void* context) {
          const auto& [loop, task, thread] =
              *static_cast<const OneTask*>(context);
          loop.task(loop.body, task, thread);
        },
        &one);
  }

  ThreadUse use_ = ThreadUse::kSleep;
  bool deeper_ = false;
};

// Calls body(from, to) for ranges of at most `step` that make up [0, count).
template <typename Body>
void ForRanges(Threads& threads, int count, int step, const Body& body) {
  threads.For((count + step - 1) / step, [&](int task, int) {
    const int from = task * step;
    body(from, count - from < step ? count : from + step);
  });
}

}  // namespace fastweights
