// SPDX-License-Identifier: MIT
#include "runtime/thread_pool.h"

#include <pthreadpool.h>

#include "base/arena.h"

// cmake/pthreadpool: whether threads look for the next loop for longer before
// they sleep.
extern "C" void pthreadpool_keep_awake(bool awake);

namespace fastweights {
namespace {

class ThreadPool final : public Threads {
 public:
  explicit ThreadPool(pthreadpool_t pool)
      : pool_(pool),
        count_(static_cast<int>(pthreadpool_get_threads_count(pool))) {}
  ~ThreadPool() override { pthreadpool_destroy(pool_); }
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int count() const override { return count_; }

 protected:
  void Share(int tasks, Task task, const void* body) override {
    Loop loop = {task, body};
    pthreadpool_parallelize_1d_with_thread(
        pool_,
        [](void* context, size_t thread, size_t index) {
          const Loop& loop = *static_cast<const Loop*>(context);
          loop.task(loop.body, static_cast<int>(index),
                    static_cast<int>(thread));
        },
        &loop, static_cast<size_t>(tasks), /*flags=*/0);
  }
  void KeepAwake(bool awake) override { pthreadpool_keep_awake(awake); }

 private:
  pthreadpool_t pool_;
  int count_;
};

// Whether what `count` threads need can be had now. pthreadpool does not look
// at what pthread_create says, and waits forever for a thread without a stack.
bool HasRoomForThreads(int count) {
#ifdef __EMSCRIPTEN__
  constexpr size_t kThreadBytes = 320 << 10;  // a stack of 256 KB and its kin
  return MakeBuffer<std::byte>(count * kThreadBytes) != nullptr;
#else
  return count > 0;
#endif
}

}  // namespace

std::unique_ptr<Threads> MakeThreads(int count) {
  if (count > 1 && HasRoomForThreads(count)) {
    // Null in builds without threads.
    if (pthreadpool_t pool = pthreadpool_create(static_cast<size_t>(count))) {
      return std::make_unique<ThreadPool>(pool);
    }
  }
  return std::make_unique<Threads>();
}

}  // namespace fastweights
