// SPDX-License-Identifier: MIT
#include "runtime/thread_choice.h"

#include <cmath>

#include "kernel_test.h"

namespace fastweights {
namespace {

// Passes that take times[way], each a little longer than that by chance.
class Passes {
 public:
  explicit Passes(std::array<double, kThreadUses> times,
                  const ThreadChoice& choice = {})
      : choice_(choice), times_(times) {}

  void Run(int count) {
    for (int i = 0; i < count; ++i) {
      const int way = static_cast<int>(choice_.Next());
      ASSERT_GE(way, 0);
      ASSERT_LT(way, kThreadUses);
      ++taken[way];
      const double longer = std::abs(random_.Normals(1)[0]) * 0.05;
      choice_.Took(times_[way] * (1 + longer));
    }
  }

  void Become(std::array<double, kThreadUses> times) {
    times_ = times;
    taken = {};
  }

  std::array<int, kThreadUses> taken = {};

 private:
  ThreadChoice choice_;
  Random random_{1};
  std::array<double, kThreadUses> times_;
};

TEST(ThreadChoice, SleepsUntilAnotherWayIsSeenToBeFaster) {
  ThreadChoice choice;
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(choice.Next(), ThreadUse::kSleep);
    choice.Took(1);
  }
}

TEST(ThreadChoice, TheFastestWayIsTakenNearlyAlways) {
  for (int best = 0; best < kThreadUses; ++best) {
    std::array<double, kThreadUses> times = {1.4, 1.4, 1.4};
    times[best] = 1;
    Passes passes(times);
    passes.Run(1000);
    EXPECT_GE(passes.taken[best], 940) << best;
  }
}

// Tries cost a fixed part of the time, however slow a way is.
TEST(ThreadChoice, ASlowWayIsTriedTheMoreSeldom) {
  for (const double slow : {1.2, 2.0, 3.5}) {
    Passes passes({1, slow, slow});
    passes.Run(10000);
    const int tries = passes.taken[1] + passes.taken[2];
    EXPECT_LE(tries * (slow - 1), 100) << slow;
    EXPECT_GE(tries, 8) << slow;
  }
}

TEST(ThreadChoice, WhatGainsLittleIsNotWorthAChange) {
  Passes passes({1, 0.99, 1.01});
  passes.Run(1000);
  EXPECT_GE(passes.taken[0], 850);
}

TEST(ThreadChoice, ChangesWithTheMachine) {
  Passes passes({1.4, 1, 1.4});
  passes.Run(1000);
  passes.Become({1, 1.4, 1.4});
  passes.Run(1000);
  passes.Become({1, 1.4, 1.4});
  passes.Run(1000);
  EXPECT_GE(passes.taken[0], 970);
}

// As with a text that gets longer: what a pass takes is compared with others of
// its time.
TEST(ThreadChoice, TimesMayGrowForAll) {
  ThreadChoice choice;
  int alone = 0;
  for (int i = 0; i < 3000; ++i) {
    const ThreadUse use = choice.Next();
    alone += use == ThreadUse::kAlone;
    choice.Took((1 + i * 0.001) * (use == ThreadUse::kAlone ? 1 : 1.5));
  }
  EXPECT_GE(alone, 2750);
}

// Clocks of browsers may tick once a millisecond.
TEST(ThreadChoice, AClockThatSeesNoTimeDecidesNothing) {
  ThreadChoice choice;
  for (int i = 0; i < 1000; ++i) {
    choice.Next();
    choice.Took(0);
  }
  Passes passes({1.4, 1, 1.4}, choice);
  passes.Run(1000);
  EXPECT_GE(passes.taken[1], 950);
}

TEST(ThreadChoice, APassThatWasHeldUpDecidesNothing) {
  ThreadChoice choice;
  int sleep = 0;
  for (int i = 0; i < 2000; ++i) {
    const ThreadUse use = choice.Next();
    sleep += use == ThreadUse::kSleep;
    const double held_up = i % 97 == 96 ? 100 : 0;
    choice.Took(held_up + (use == ThreadUse::kSleep ? 1 : 1.5));
  }
  EXPECT_GE(sleep, 1900);
}

TEST(ThreadChoices, SizesOfPassesHaveChoicesOfTheirOwnAndLongOnesNone) {
  ThreadChoices choices;
  for (const auto& [a, b] : {std::pair(2, 3), {4, 7}, {8, 15}}) {
    EXPECT_EQ(choices.Of(a), choices.Of(b));
    EXPECT_NE(choices.Of(a), choices.Of(a - 1));
    EXPECT_NE(choices.Of(a), nullptr);
  }
  for (const int rows : {16, 17, 64, 512}) {
    EXPECT_EQ(choices.Of(rows), nullptr) << rows;
  }
}

// What threads are used as meanwhile.
class Observed final : public Threads {
 public:
  explicit Observed(int count) : count_(count) {}
  int count() const override { return count_; }
  int shared = 0;
  bool awake = false;

 protected:
  void Share(int tasks, Task task, const void* body) override {
    ++shared;
    Threads::Share(tasks, task, body);
  }
  void KeepAwake(bool on) override { awake = on; }

 private:
  int count_;
};

TEST(ChosenThreads, AreUsedAsChosenForTheLengthOfAPass) {
  Observed threads(2);
  ThreadChoices choices;
  int awake = 0, loops = 0;
  // Enough for a way that is faster now and then by chance, as passes that take
  // no time are, not to be tried alone.
  for (int i = 0; i < 400; ++i) {
    {
      const ChosenThreads chosen(choices, 1, threads);
      awake += threads.awake;
      int done = 0;
      threads.For(3, [&](int, int) { ++done; });
      EXPECT_EQ(done, 3);
    }
    ++loops;
    EXPECT_FALSE(threads.awake);
  }
  // Each way was tried: kept awake in some, and in some no loop was shared.
  EXPECT_GE(awake, 2);
  EXPECT_LE(threads.shared, loops - 2);
  threads.shared = 0;
  threads.For(3, [](int, int) {});
  EXPECT_EQ(threads.shared, 1);
}

TEST(ChosenThreads, OneThreadHasNoChoice) {
  Observed threads(1);
  ThreadChoices choices;
  for (int i = 0; i < 40; ++i) {
    const ChosenThreads chosen(choices, 1, threads);
    EXPECT_FALSE(threads.awake);
  }
}

}  // namespace
}  // namespace fastweights
