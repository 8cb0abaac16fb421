// SPDX-License-Identifier: MIT
#include "runtime/thread_pool.h"

#include <atomic>
#include <chrono>
#include <ctime>
#include <thread>
#include <vector>

#include "kernel_test.h"
#include "runtime/golden_model.h"

namespace fastweights {
namespace {

using std::chrono::steady_clock;

#if defined(__EMSCRIPTEN__) && !defined(__EMSCRIPTEN_PTHREADS__)
constexpr int kMost = 1;  // whatever is asked for
#else
constexpr int kMost = 4;
#endif

std::vector<int> Counts() {
  std::vector<int> counts;
  for (int count = 1; count <= kMost; ++count) counts.push_back(count);
  return counts;
}

TEST(ThreadPool, HasAsManyThreadsAsTheBuildAllows) {
  for (const int count : Counts())
    EXPECT_EQ(MakeThreads(count)->count(), count);
  EXPECT_EQ(MakeThreads(8)->count(), kMost == 1 ? 1 : 8);
}

void ExpectEveryTaskOnce(ThreadUse use, bool deeper = false) {
  for (const int count : Counts()) {
    const auto threads = MakeThreads(count);
    threads->Use(use);
    threads->CallDeeper(deeper);
    for (const int tasks : {0, 1, 2, 3, 7, 64, 1000}) {
      std::vector<int> done(tasks);
      std::vector<std::atomic<int>> running(count);
      threads->For(tasks, [&](int task, int thread) {
        ASSERT_GE(thread, 0);
        ASSERT_LT(thread, count);
        EXPECT_EQ(running[thread]++, 0) << "two at once in thread " << thread;
        ++done[task];
        --running[thread];
      });
      EXPECT_EQ(done, std::vector<int>(tasks, 1));
    }
  }
}

TEST(ThreadPool, DoesEveryTaskOnceInAThreadOfItsOwn) {
  ExpectEveryTaskOnce(ThreadUse::kSleep);
  ExpectEveryTaskOnce(ThreadUse::kSpin);
}

TEST(ThreadPool, DoesEveryTaskOnceDeeperOnTheStack) {
  ExpectEveryTaskOnce(ThreadUse::kSleep, /*deeper=*/true);
  ExpectEveryTaskOnce(ThreadUse::kAlone, /*deeper=*/true);
}

TEST(ThreadPool, LeavesAllToTheCallerWhereThatIsAlone) {
  const auto threads = MakeThreads(kMost);
  EXPECT_EQ(threads->sharing(), kMost);
  threads->Use(ThreadUse::kAlone);
  EXPECT_EQ(threads->sharing(), 1);
  const auto caller = std::this_thread::get_id();
  int done = 0;
  threads->For(100, [&](int task, int thread) {
    EXPECT_EQ(task, done++);
    EXPECT_EQ(thread, 0);
    EXPECT_EQ(std::this_thread::get_id(), caller);
  });
  EXPECT_EQ(done, 100);
}

// Each task waits until all have begun, which they can only in as many threads.
TEST(ThreadPool, AllThreadsTakePart) {
  const auto threads = MakeThreads(kMost);
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> begun = 0;
    std::vector<int> of_thread(kMost);
    threads->For(kMost, [&](int, int thread) {
      ++of_thread[thread];
      ++begun;
      const auto end = steady_clock::now() + std::chrono::seconds(20);
      while (begun < kMost && steady_clock::now() < end) {
        std::this_thread::yield();
      }
      EXPECT_EQ(begun, kMost);
    });
    EXPECT_EQ(of_thread, std::vector<int>(kMost, 1));
  }
}

// One task lasts until all others are done: those dealt to its thread too.
TEST(ThreadPool, OthersTakeOverTheTasksOfASlowThread) {
  if (kMost == 1) GTEST_SKIP() << "this build has one thread";
  constexpr int kTasks = 64;
  std::atomic<int> done = 0;
  MakeThreads(2)->For(kTasks, [&](int task, int) {
    const auto end = steady_clock::now() + std::chrono::seconds(20);
    while (task == 0 && done < kTasks - 1 && steady_clock::now() < end) {
      std::this_thread::yield();
    }
    EXPECT_TRUE(task != 0 || done == kTasks - 1);
    ++done;
  });
  EXPECT_EQ(done, kTasks);
}

// What a loop writes is there for the loop after it, whichever thread reads.
TEST(ThreadPool, LoopsSeeWhatLoopsBeforeThemWrote) {
  const auto threads = MakeThreads(kMost);
  constexpr int kTasks = 50;
  std::vector<int> sums(kTasks), next(kTasks);
  for (int round = 0; round < 1000; ++round) {
    threads->Use(static_cast<ThreadUse>(round / 10 % kThreadUses));
    threads->For(kTasks, [&](int task, int) {
      next[task] = sums[(task + 7) % kTasks] + 1;
    });
    sums.swap(next);
  }
  EXPECT_EQ(sums, std::vector<int>(kTasks, 1000));
}

TEST(ThreadPool, ManyPoolsOneAfterAnother) {
  for (int i = 0; i < 100; ++i) {
    std::atomic<int> done = 0;
    const auto threads = MakeThreads(kMost);
    threads->For(10, [&](int, int) { ++done; });
    EXPECT_EQ(done, 10);
  }
}

#ifndef __EMSCRIPTEN__  // whose clock() is that of the wall
TEST(ThreadPool, IdleThreadsSleep) {
  const auto threads = MakeThreads(kMost);
  // So they do where they are kept awake between loops.
  threads->Use(ThreadUse::kSpin);
  threads->For(100, [](int, int) {});
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  const std::clock_t before = std::clock();
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  // Spinning, three threads would take up to 1.5 s.
  EXPECT_LT(std::clock() - before, CLOCKS_PER_SEC / 20);
}
#endif

class ThreadedModel : public testing::TestWithParam<const char*> {};

// Threads share tasks that do not depend on each other, so rounding does not
// depend on how many there are.
TEST_P(ThreadedModel, LogitsAreTheSameToTheBitWithAnyNumberOfThreads) {
  const std::vector<int> ids = GoldenTexts(GetParam())[1].ids;
  std::vector<float> expected;
  for (const int count : Counts()) {
    const auto model = LoadModel(GetParam(), {.threads = count});
    const auto session = Session::Make(model);
    const size_t vocab = model->vocab();
    EXPECT_EQ(model->threads(), count);
    ASSERT_TRUE(session->Prefill(ids.data(), 100, true));
    std::vector<float> found(session->logits(), session->logits() + vocab);
    for (size_t t = 100; t < ids.size(); ++t) {
      ASSERT_TRUE(session->Prefill(ids.data() + t, 1, true));
      found.insert(found.end(), session->logits(), session->logits() + vocab);
    }
    if (count == 1) expected = found;
    EXPECT_TRUE(Same(found, expected)) << count << " threads";
  }
}

INSTANTIATE_TEST_SUITE_P(All, ThreadedModel, testing::ValuesIn(kGoldenModels),
                         [](const auto& info) {
                           return std::string(info.param);
                         });

}  // namespace
}  // namespace fastweights
