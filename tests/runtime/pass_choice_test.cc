// SPDX-License-Identifier: MIT
#include "runtime/pass_choice.h"

#include <cmath>
#include <memory>
#include <utility>

#include "kernel_test.h"

namespace fastweights {
namespace {

constexpr int kWays = 3;

// Passes that take times[way], each a little longer than that by chance.
class Passes {
 public:
  explicit Passes(std::array<double, kWays> times,
                  const WayChoice& choice = WayChoice(kWays))
      : choice_(choice), times_(times) {}

  void Run(int count) {
    for (int i = 0; i < count; ++i) {
      const int way = choice_.Next();
      ASSERT_GE(way, 0);
      ASSERT_LT(way, kWays);
      ++taken[way];
      const double longer = std::abs(random_.Normals(1)[0]) * 0.05;
      choice_.Took(times_[way] * (1 + longer));
    }
  }

  void Become(std::array<double, kWays> times) {
    times_ = times;
    taken = {};
  }

  std::array<int, kWays> taken = {};

 private:
  WayChoice choice_;
  Random random_{1};
  std::array<double, kWays> times_;
};

TEST(WayChoice, TheFirstIsTakenUntilAnotherIsSeenToBeFaster) {
  WayChoice choice(kWays);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(choice.Next(), 0);
    EXPECT_EQ(choice.Took(1), i == 3);
  }
}

TEST(WayChoice, OneWayIsAllThatIsTaken) {
  WayChoice choice(1);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(choice.Next(), 0);
    choice.Took(1 + i % 7);
  }
}

TEST(WayChoice, TheFastestWayIsTakenNearlyAlways) {
  for (int best = 0; best < kWays; ++best) {
    std::array<double, kWays> times = {1.4, 1.4, 1.4};
    times[best] = 1;
    Passes passes(times);
    passes.Run(1000);
    EXPECT_GE(passes.taken[best], 940) << best;
  }
}

// Tries cost a fixed part of the time, however slow a way is.
TEST(WayChoice, ASlowWayIsTriedTheMoreSeldom) {
  for (const double slow : {1.2, 2.0, 3.5}) {
    Passes passes({1, slow, slow});
    passes.Run(10000);
    const int tries = passes.taken[1] + passes.taken[2];
    EXPECT_LE(tries * (slow - 1), 100) << slow;
    EXPECT_GE(tries, 8) << slow;
  }
}

TEST(WayChoice, WhatGainsLittleIsNotWorthAChange) {
  Passes passes({1, 0.99, 1.01});
  passes.Run(1000);
  EXPECT_GE(passes.taken[0], 850);
}

TEST(WayChoice, ChangesWithTheMachine) {
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
TEST(WayChoice, TimesMayGrowForAll) {
  WayChoice choice(kWays);
  int last = 0;
  for (int i = 0; i < 3000; ++i) {
    const bool is_last = choice.Next() == kWays - 1;
    last += is_last;
    choice.Took((1 + i * 0.001) * (is_last ? 1 : 1.5));
  }
  EXPECT_GE(last, 2750);
}

// Clocks of browsers may tick once a millisecond.
TEST(WayChoice, AClockThatSeesNoTimeDecidesNothing) {
  WayChoice choice(kWays);
  for (int i = 0; i < 1000; ++i) {
    choice.Next();
    choice.Took(0);
  }
  Passes passes({1.4, 1, 1.4}, choice);
  passes.Run(1000);
  EXPECT_GE(passes.taken[1], 950);
}

TEST(WayChoice, APassThatWasHeldUpDecidesNothing) {
  WayChoice choice(kWays);
  int first = 0;
  for (int i = 0; i < 2000; ++i) {
    const bool is_first = choice.Next() == 0;
    first += is_first;
    const double held_up = i % 97 == 96 ? 100 : 0;
    choice.Took(held_up + (is_first ? 1 : 1.5));
  }
  EXPECT_GE(first, 1900);
}

// Passes of a model that take so many times longer by each way.
struct Model {
  std::array<double, kThreadUses> uses;
  std::array<double, kReadings> readings;
  std::array<double, 2> depths = {1, 1};

  double TimeOf(const PassChoice& choice) const {
    return uses[static_cast<int>(choice.use())] *
           readings[static_cast<int>(choice.reading())] *
           depths[choice.deeper()];
  }
};

TEST(PassChoice, FindsTheFastestOfAllWays) {
  for (int way = 0; way < kThreadUses * kReadings * 2; ++way) {
    Model model = {{1.4, 1.4, 1.4}, {1.3, 1.3}, {1.5, 1.5}};
    const bool deeper = way % 2;
    model.depths[deeper] = 1;
    model.readings[way / 2 % kReadings] = 1;
    model.uses[way / 2 / kReadings] = 1;
    PassChoice choice;
    Random random(1);
    int fastest = 0;
    for (int i = 0; i < 3000; ++i) {
      const double time = model.TimeOf(choice);
      fastest += time == 1;
      choice.Took(time * (1 + std::abs(random.Normals(1)[0]) * 0.05), true);
    }
    EXPECT_GE(fastest, 2800) << way;
    EXPECT_EQ(choice.takes_deeper(), deeper) << way;
  }
}

// What one way gains is not taken for another's.
TEST(PassChoice, AWayThatGainsNothingIsLeftWhereAnotherDoes) {
  const Model model = {{1, 1.02, 1.1}, {1.6, 1}};
  PassChoice choice;
  int sleep = 0;
  for (int i = 0; i < 2000; ++i) {
    sleep += choice.use() == ThreadUse::kSleep;
    choice.Took(model.TimeOf(choice), true);
  }
  EXPECT_EQ(choice.reading(), Reading::kManyPlaces);
  EXPECT_GE(sleep, 1850);
}

TEST(PassChoice, WithOneThreadNothingOfItsUseIsChosen) {
  const Model model = {{1, 0.1, 0.1}, {1.6, 1}, {1.6, 1}};
  PassChoice choice;
  int many = 0, deeper = 0;
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(choice.use(), ThreadUse::kSleep);
    many += choice.reading() == Reading::kManyPlaces;
    deeper += choice.deeper();
    choice.Took(model.TimeOf(choice), false);
  }
  EXPECT_GE(many, 950);
  EXPECT_GE(deeper, 940);
}

TEST(PassChoices, SizesOfPassesHaveChoicesOfTheirOwnAndLongOnesNone) {
  PassChoices choices;
  for (const auto& [a, b] : {std::pair(2, 3), {4, 7}, {8, 15}}) {
    EXPECT_EQ(choices.Of(a), choices.Of(b));
    EXPECT_NE(choices.Of(a), choices.Of(a - 1));
    EXPECT_NE(choices.Of(a), nullptr);
  }
  for (const int rows : {16, 17, 64, 512}) {
    EXPECT_EQ(choices.Of(rows), nullptr) << rows;
  }
}

// A pass of two rows now and then, among those of one: what these have found is
// what it begins with, and what its own rounds find is what it stays with.
TEST(PassChoices, SizesBeginWithWhatAnotherHasFound) {
  PassChoices choices;
  const Model one = {{1, 1, 1}, {1.6, 1}, {1.6, 1}},
              two = {{1, 1, 1}, {1, 1.6}};
  EXPECT_EQ(choices.Of(2)->reading(), Reading::kFewPlaces);
  EXPECT_FALSE(choices.Of(2)->deeper());
  for (int i = 0; i < 100; ++i) {
    PassChoice& choice = *choices.Of(1);
    choice.Took(one.TimeOf(choice), false);
  }
  EXPECT_EQ(choices.Of(2)->reading(), Reading::kManyPlaces);
  EXPECT_TRUE(choices.Of(2)->deeper());
  for (int i = 0; i < 100; ++i) {
    PassChoice& choice = *choices.Of(2);
    choice.Took(two.TimeOf(choice), false);
  }
  choices.Of(1);
  EXPECT_EQ(choices.Of(2)->reading(), Reading::kFewPlaces);
  choices.Of(2);
  EXPECT_EQ(choices.Of(1)->reading(), Reading::kManyPlaces);
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

TEST(ChosenWays, AreGoneForTheLengthOfAPass) {
  auto own = std::make_unique<Observed>(2);
  Observed& threads = *own;
  Workspace workspace(std::move(own));
  PassChoices choices;
  int awake = 0, loops = 0, many = 0;
  // Enough for a way that is faster now and then by chance, as passes that take
  // no time are, not to be tried alone.
  for (int i = 0; i < 800; ++i) {
    {
      const ChosenWays chosen(choices, 1, workspace);
      awake += threads.awake;
      many += workspace.reading() == Reading::kManyPlaces;
      int done = 0;
      threads.For(3, [&](int, int) { ++done; });
      EXPECT_EQ(done, 3);
    }
    ++loops;
    EXPECT_FALSE(threads.awake);
  }
  // Each way was tried: kept awake in some, in some no loop was shared, in some
  // weights were read from many places.
  EXPECT_GE(awake, 2);
  EXPECT_LE(threads.shared, loops - 2);
  EXPECT_GE(many, 2);
  threads.shared = 0;
  threads.For(3, [](int, int) {});
  EXPECT_EQ(threads.shared, 1);
}

TEST(ChosenWays, OneThreadIsNeverKeptAwake) {
  auto own = std::make_unique<Observed>(1);
  Observed& threads = *own;
  Workspace workspace(std::move(own));
  PassChoices choices;
  for (int i = 0; i < 40; ++i) {
    const ChosenWays chosen(choices, 1, workspace);
    EXPECT_FALSE(threads.awake);
  }
}

TEST(ChosenWays, LongPassesAreLeftAlone) {
  Workspace workspace;
  PassChoices choices;
  for (int i = 0; i < 40; ++i) {
    const ChosenWays chosen(choices, 16, workspace);
    EXPECT_EQ(workspace.reading(), Reading::kFewPlaces);
  }
}

}  // namespace
}  // namespace fastweights
