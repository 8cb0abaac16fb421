// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace fastweights {

// What time is charged to: a step of the forward pass, or the products with
// one matrix of every layer.
struct ProfilePart {
  const char* name;
  // Of products: the matrix, without its layer, and how it is stored.
  const char* matrix = "";
  const char* format = "";
  int rows = 0, columns = 0;
};

// The work that goes with a span of time.
struct ProfileWork {
  double operations = 0;    // multiplications and additions
  double weight_bytes = 0;  // read
};

// Where the time of forward passes goes. There is one clock and it runs for
// one part at a time, the innermost, so the parts add up to the whole.
class Profile {
 public:
  enum class Phase { kPrefill, kDecode };

  struct Row {
    Phase phase;
    std::string name, matrix, format;
    int rows, columns;
    double calls, ms;
    ProfileWork work;
  };

  // Between Begin and End time counts, at first for "rest".
  void Begin(Phase phase);
  void End();

  // Charges what follows to `part`; returns what was charged before, for Leave.
  size_t Enter(const ProfilePart& part, const ProfileWork& work);
  void Leave(size_t outer);

  const std::vector<Row>& rows() const { return rows_; }

 private:
  size_t Find(const ProfilePart& part);
  // Charges the time since the last call to the current row.
  void Charge();

  std::vector<Row> rows_;
  Phase phase_ = Phase::kPrefill;
  bool running_ = false;
  size_t current_ = 0;
  int64_t since_ = 0;  // nanoseconds
};

// Charges its own lifetime to a part. Where there is no profile it costs a
// comparison.
class ProfileScope {
 public:
  ProfileScope(Profile* profile, const ProfilePart& part,
               const ProfileWork& work = {})
      : profile_(profile) {
    if (profile_ != nullptr) outer_ = profile_->Enter(part, work);
  }
  ~ProfileScope() {
    if (profile_ != nullptr) profile_->Leave(outer_);
  }
  ProfileScope(const ProfileScope&) = delete;
  ProfileScope& operator=(const ProfileScope&) = delete;

 private:
  Profile* profile_;
  size_t outer_ = 0;
};

// A forward pass, or several, of one phase.
class ProfilePass {
 public:
  ProfilePass(Profile* profile, Profile::Phase phase) : profile_(profile) {
    if (profile_ != nullptr) profile_->Begin(phase);
  }
  ~ProfilePass() {
    if (profile_ != nullptr) profile_->End();
  }
  ProfilePass(const ProfilePass&) = delete;
  ProfilePass& operator=(const ProfilePass&) = delete;

 private:
  Profile* profile_;
};

}  // namespace fastweights
