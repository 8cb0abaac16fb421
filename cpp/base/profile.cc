// SPDX-License-Identifier: MIT
#include "base/profile.h"

#include <algorithm>
#include <chrono>

#include "base/check.h"

namespace fastweights {
namespace {

// Here alone: <chrono> is one of the slowest headers to compile.
int64_t Now() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

}  // namespace

void Profile::Begin(Phase phase) {
  DCHECK(!running_);
  phase_ = phase;
  running_ = true;
  current_ = Find({.name = "rest"});
  ++rows_[current_].calls;
  since_ = Now();
}

void Profile::End() {
  Charge();
  running_ = false;
}

size_t Profile::Enter(const ProfilePart& part, const ProfileWork& work) {
  DCHECK(running_);
  const size_t outer = current_;
  // Looking the row up is on the outer part's account.
  const size_t inner = Find(part);
  Charge();
  current_ = inner;
  Row& row = rows_[inner];
  ++row.calls;
  row.work.operations += work.operations;
  row.work.weight_bytes += work.weight_bytes;
  return outer;
}

void Profile::Leave(size_t outer) {
  Charge();
  current_ = outer;
}

size_t Profile::Find(const ProfilePart& part) {
  const auto found =
      std::find_if(rows_.begin(), rows_.end(), [&](const Row& row) {
        return row.phase == phase_ && row.name == part.name &&
               row.matrix == part.matrix && row.format == part.format &&
               row.rows == part.rows && row.columns == part.columns;
      });
  if (found == rows_.end()) {
    rows_.push_back({.phase = phase_,
                     .name = part.name,
                     .matrix = part.matrix,
                     .format = part.format,
                     .rows = part.rows,
                     .columns = part.columns,
                     .calls = 0,
                     .ms = 0,
                     .work = {}});
    return rows_.size() - 1;
  }
  return found - rows_.begin();
}

void Profile::Charge() {
  const int64_t now = Now();
  rows_[current_].ms += 1e-6 * static_cast<double>(now - since_);
  since_ = now;
}

}  // namespace fastweights
