// SPDX-License-Identifier: MIT
#include "base/profile.h"

#include <gtest/gtest.h>

namespace fastweights {
namespace {

using Clock = std::chrono::steady_clock;
using Phase = Profile::Phase;

double MsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start)
      .count();
}

void Spend(double ms) {
  const Clock::time_point start = Clock::now();
  while (MsSince(start) < ms) {
  }
}

const Profile::Row& Find(const Profile& profile, Phase phase,
                         const std::string& name,
                         const std::string& matrix = "") {
  for (const Profile::Row& row : profile.rows()) {
    if (row.phase == phase && row.name == name && row.matrix == matrix) {
      return row;
    }
  }
  ADD_FAILURE() << "no row " << name << " " << matrix;
  return profile.rows().front();
}

TEST(Profile, TheInnermostPartIsChargedAndPartsAddUp) {
  Profile profile;
  const Clock::time_point start = Clock::now();
  {
    const ProfilePass pass(&profile, Phase::kPrefill);
    const ProfileScope outer(&profile, {"outer"});
    {
      const ProfileScope inner(&profile, {"inner"});
      Spend(4.0);
    }
    Spend(2.0);
  }
  const double whole = MsSince(start);
  EXPECT_GE(Find(profile, Phase::kPrefill, "inner").ms, 4.0);
  EXPECT_GE(Find(profile, Phase::kPrefill, "outer").ms, 2.0);
  double sum = 0;
  for (const Profile::Row& row : profile.rows()) sum += row.ms;
  EXPECT_GE(sum, 6.0);
  EXPECT_LE(sum, whole);
}

TEST(Profile, TimeBetweenPassesDoesNotCount) {
  Profile profile;
  double inside = 0.0;
  for (int i = 0; i < 2; ++i) {
    Spend(3.0);
    const Clock::time_point start = Clock::now();
    { const ProfilePass pass(&profile, Phase::kDecode); }
    inside += MsSince(start);
  }
  const Profile::Row& rest = Find(profile, Phase::kDecode, "rest");
  EXPECT_EQ(rest.calls, 2);
  EXPECT_LE(rest.ms, inside);
}

TEST(Profile, WorkAndCallsAddUpByPhaseAndMatrix) {
  Profile profile;
  const auto product = [&](const char* matrix, double operations) {
    const ProfileScope scope(&profile, {"product", matrix, "Q8_0", 8, 32},
                             {operations, 100});
  };
  {
    const ProfilePass pass(&profile, Phase::kPrefill);
    product("up", 10);
    product("up", 20);
    product("gate", 40);
  }
  {
    const ProfilePass pass(&profile, Phase::kDecode);
    product("up", 1);
  }
  const Profile::Row& up = Find(profile, Phase::kPrefill, "product", "up");
  EXPECT_EQ(up.calls, 2);
  EXPECT_EQ(up.work.operations, 30);
  EXPECT_EQ(up.work.weight_bytes, 200);
  EXPECT_EQ(up.rows, 8);
  EXPECT_EQ(up.columns, 32);
  EXPECT_EQ(up.format, "Q8_0");
  EXPECT_EQ(Find(profile, Phase::kPrefill, "product", "gate").calls, 1);
  EXPECT_EQ(Find(profile, Phase::kDecode, "product", "up").work.operations, 1);
}

TEST(Profile, NoneIsNoScope) {
  const ProfilePass pass(nullptr, Phase::kPrefill);
  const ProfileScope scope(nullptr, {"nothing"});
}

}  // namespace
}  // namespace fastweights
