// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <chrono>

#include "base/threads.h"

namespace fastweights {

// Which of the ways to use threads (ThreadUse) passes of one size take. A token
// is a hundred loops of some microseconds to some milliseconds: where they are
// short, waking threads that sleep costs more than they bring, and what gains
// depends on the model, the processor and on what else runs there. So the way
// is found by timing passes that are wanted anyway, in rounds of a few: most go
// the best way known, and now and then one goes another. (One pass of a way
// says little: where processors are wanted by others, spinning is slow only
// once it has gone on for a while.)
class ThreadChoice {
 public:
  // The way of the pass that begins.
  ThreadUse Next() const { return static_cast<ThreadUse>(tried_); }
  // How long that took, in any unit.
  void Took(double time);

 private:
  static constexpr int kRound = 4;

  struct Way {
    double ratio = 1;  // of a pass's time to that of the way that is taken
    int tries = 0;
    int wait = 0;       // rounds until it is tried again
    double beside = 0;  // what a pass of the way taken took then
  };

  // What a pass of the round took, without the longest.
  double RoundTime() const;
  void Tried(double time);
  void Take(int way);
  int NextWay();

  std::array<Way, kThreadUses> ways_;
  int taken_ = 0;    // the best way known
  int tried_ = 0;    // that this round goes
  double time_ = 0;  // of a pass that goes the way taken
  int rounds_ = 0;   // that it is an average of
  std::array<double, kRound> round_;
  int passes_ = 0;  // of this round
};

// The choices of a model: passes of one row, of two and three, of four to
// seven, and of eight to fifteen have one each. Longer ones are left alone,
// as their loops take long.
class ThreadChoices {
 public:
  // Null where nothing is chosen.
  ThreadChoice* Of(int rows) {
    int size = 0;
    while (rows > 1 && size < kSizes) rows /= 2, ++size;
    return size < kSizes ? &of_size_[size] : nullptr;
  }

 private:
  static constexpr int kSizes = 4;
  std::array<ThreadChoice, kSizes> of_size_;
};

// During its own life, which it times, threads are used as chosen.
class ChosenThreads {
 public:
  ChosenThreads(ThreadChoices& choices, int rows, Threads& threads);
  ~ChosenThreads();
  ChosenThreads(const ChosenThreads&) = delete;
  ChosenThreads& operator=(const ChosenThreads&) = delete;

 private:
  Threads& threads_;
  ThreadChoice* choice_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace fastweights
