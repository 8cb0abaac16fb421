// SPDX-License-Identifier: MIT
#include "runtime/pass_choice.h"

#include <algorithm>

namespace fastweights {
namespace {

// Rounds that an average is over.
constexpr int kAverage = 3;

// Another way is taken where it saves more of the time than this, in so many
// rounds at least.
constexpr double kGain = 0.04;
constexpr int kTries = 2;

// Rounds between two tries of a way, at least and at most, and as many for each
// that a try costs, so that tries take a five-hundredth of the time.
constexpr double kLeastWait = 16, kMostWait = 4096, kWaits = 500;

// What is known of a way is no longer true where the one taken has got slower
// by this factor: a text grew long, or others want the processors now.
constexpr double kChanged = 1.3;

double Average(double average, double next, int count) {
  return average + (next - average) / count;
}

}  // namespace

double WayChoice::RoundTime() const {
  double sum = 0, longest = 0;
  for (const double time : round_) {
    sum += time;
    longest = std::max(longest, time);
  }
  return (sum - longest) / (kRound - 1);
}

bool WayChoice::Took(double time) {
  round_[passes_++] = time;
  if (passes_ < kRound) return false;
  passes_ = 0;
  has_rounds_ = true;
  time = RoundTime();
  if (tried_ == taken_) {
    rounds_ = std::min(rounds_ + 1, kAverage);
    time_ = Average(time_, time, rounds_);
    tried_ = NextWay();
  } else {
    Tried(time);
    tried_ = taken_;
  }
  return true;
}

int WayChoice::NextWay() {
  int next = taken_;
  for (int i = 0; i < count_; ++i) {
    if (i == taken_) continue;
    Way& way = ways_[i];
    if (way.tries > 0 && time_ > kChanged * way.beside) way = {};
    if (--way.wait < 0) next = i;
  }
  return next;
}

void WayChoice::Tried(double time) {
  Way& way = ways_[tried_];
  way.tries = std::min(way.tries + 1, kAverage);
  // A coarse clock may not see a small model's pass.
  const double ratio = time_ > 0 ? time / time_ : 1;
  way.ratio = Average(way.ratio, ratio, way.tries);
  way.beside = time_;
  if (way.tries >= kTries && way.ratio < 1 - kGain) return Take(tried_);
  // At once again where it is not known yet and not hopeless, or was faster
  // this time.
  const bool again = (way.tries < kTries && ratio < 2) || ratio < 1 - kGain;
  const double wait =
      std::clamp(kWaits * (way.ratio - 1), kLeastWait, kMostWait);
  way.wait = again ? 0 : static_cast<int>(wait);
}

void WayChoice::Take(int to) {
  const double ratio = ways_[to].ratio;
  time_ *= ratio;
  ways_[taken_] = {.ratio = 1,
                   .tries = kTries,
                   .wait = static_cast<int>(kLeastWait),
                   .beside = time_};
  for (Way& way : ways_) way.ratio /= ratio;
  taken_ = to;
}

void PassChoice::Took(double time, bool has_threads) {
  WayChoice& timed = ways_[timed_];
  const int before = timed.taken();
  if (!timed.Took(time)) return;
  if (timed.taken() != before) {
    for (WayChoice& ways : ways_) {
      if (&ways != &timed) ways.Restart();
    }
  }
  timed_ = (timed_ + 1) % (has_threads ? kChoices : kUse);
}

ChosenWays::ChosenWays(PassChoices& choices, int rows, Workspace& workspace)
    : workspace_(workspace), choice_(choices.Of(rows)) {
  if (choice_ == nullptr) return;
  workspace.threads().Use(choice_->use());
  workspace.threads().CallDeeper(choice_->deeper());
  workspace.set_reading(choice_->reading());
  start_ = std::chrono::steady_clock::now();
}

ChosenWays::~ChosenWays() {
  if (choice_ == nullptr) return;
  const std::chrono::duration<double> took =
      std::chrono::steady_clock::now() - start_;
  choice_->Took(took.count(), workspace_.threads().count() > 1);
  workspace_.threads().Use(ThreadUse::kSleep);
  // As long passes, of which nothing is chosen, go from now on.
  workspace_.threads().CallDeeper(choice_->takes_deeper());
}

}  // namespace fastweights
