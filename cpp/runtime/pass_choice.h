// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <chrono>

#include "base/threads.h"
#include "base/workspace.h"

namespace fastweights {

// Which of a few ways passes of one size go, where the processor decides which
// is fastest. It is found by timing passes that are wanted anyway, in rounds of
// a few: most go the best way known, and now and then one goes another. (One
// pass of a way says little: where processors are wanted by others, spinning is
// slow only once it has gone on for a while.)
class WayChoice {
 public:
  // Of `ways`, kMostWays at most; the first is taken until another is known to
  // be faster.
  explicit WayChoice(int ways) : count_(ways) {}

  // The way of the pass that begins.
  int Next() const { return tried_; }
  // The best way known.
  int taken() const { return taken_; }
  // How long that took, in any unit; whether a round ended with it.
  bool Took(double time);
  // Another way is taken from now on, but where rounds have shown which is
  // best.
  void Suggest(int way) {
    if (!has_rounds_) taken_ = tried_ = way;
  }
  // Between two rounds: what passes take has changed for another reason.
  void Restart() {
    rounds_ = 0;
    tried_ = taken_;
  }

 private:
  static constexpr int kRound = 4;
  static constexpr int kMostWays = 3;

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

  int count_;
  std::array<Way, kMostWays> ways_;
  int taken_ = 0;
  int tried_ = 0;    // that this round goes
  double time_ = 0;  // of a pass that goes the way taken
  int rounds_ = 0;   // that it is an average of
  std::array<double, kRound> round_;
  int passes_ = 0;  // of this round
  bool has_rounds_ = false;
};

// How passes of one size use the threads, where they read their weights, and
// how deep on the stack they run: choices that have rounds in turns, so that
// each is timed beside the best of the others. A token is a hundred loops of
// some microseconds to some milliseconds: where they are short, waking threads
// that sleep costs more than they bring, and what gains depends on the model,
// the processor and on what else runs there.
class PassChoice {
 public:
  ThreadUse use() const { return static_cast<ThreadUse>(Way(kUse)); }
  Reading reading() const { return static_cast<Reading>(Way(kReading)); }
  // Whether its loops are called deeper (base/deep_call.h).
  bool deeper() const { return Way(kDepth) == 1; }
  // The best way known of that.
  bool takes_deeper() const { return ways_[kDepth].taken() == 1; }
  // What passes of another size have found to be best of reading and of depth:
  // until there are rounds of its own, which are long in coming where few
  // tokens are guessed.
  void Follow(const PassChoice& other) {
    for (const Choice choice : {kReading, kDepth}) {
      ways_[choice].Suggest(other.ways_[choice].taken());
    }
  }
  // How long the pass took that went these ways, in any unit; with one thread
  // there is nothing to choose of its use.
  void Took(double time, bool has_threads);

 private:
  enum Choice { kReading, kDepth, kUse, kChoices };

  int Way(Choice choice) const {
    const WayChoice& ways = ways_[choice];
    return choice == timed_ ? ways.Next() : ways.taken();
  }

  std::array<WayChoice, kChoices> ways_{WayChoice(kReadings), WayChoice(2),
                                        WayChoice(kThreadUses)};
  int timed_ = kReading;  // whose round it is
};

// The choices of a model: passes of one row, of two and three, of four to
// seven, and of eight to fifteen have one each. Longer ones are left alone,
// as their loops take long.
class PassChoices {
 public:
  // Of the pass that begins; null where nothing is chosen.
  PassChoice* Of(int rows) {
    int size = 0;
    while (rows > 1 && size < kSizes) rows /= 2, ++size;
    if (size == kSizes) return nullptr;
    of_size_[size].Follow(of_size_[latest_]);
    latest_ = size;
    return &of_size_[size];
  }

 private:
  static constexpr int kSizes = 4;
  std::array<PassChoice, kSizes> of_size_;
  int latest_ = 0;
};

// During its own life, which it times, a pass goes as chosen.
class ChosenWays {
 public:
  ChosenWays(PassChoices& choices, int rows, Workspace& workspace);
  ~ChosenWays();
  ChosenWays(const ChosenWays&) = delete;
  ChosenWays& operator=(const ChosenWays&) = delete;

 private:
  Workspace& workspace_;
  PassChoice* choice_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace fastweights
