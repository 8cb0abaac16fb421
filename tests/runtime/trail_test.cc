// SPDX-License-Identifier: MIT

// Trails: after any token that a text has drawn and read it is to be gone on
// from as it was then, on every golden model.

#include "base/allocation.h"
#include "kernel_test.h"
#include "runtime/golden_model.h"
#include "runtime/guessing.h"
#include "runtime/same_text.h"
#include "runtime/session.h"

namespace fastweights {
namespace {

class Trails : public testing::TestWithParam<const char*> {
 protected:
  Trails()
      : model_(LoadModel(GetParam())), ids_(GoldenTexts(GetParam())[1].ids) {}

  std::unique_ptr<Session> Begun(int tokens) const {
    auto session = Session::Make(model_);
    session->sampler().Configure(
        {.temperature = 0, .repetition_penalty = 1.3f});
    EXPECT_TRUE(session->Prefill(ids_.data(), tokens, true));
    return session;
  }

  // To the bit, but for what has been drawn and not read.
  void ExpectSame(const Session& session, const Session& twin) const {
    EXPECT_TRUE(session.has_logits());
    ExpectSameText(session, twin, *model_);
  }

  std::shared_ptr<Model> model_;
  std::vector<int> ids_;  // 130 of them
};

// Over the ends of chunks and of a page.
TEST_P(Trails, LeadBackToAfterEachToken) {
  constexpr int kTokens = 24;
  for (const int place : {45, 64}) {
    const auto session = Begun(place);
    const auto trail = session->LeaveTrail();
    ASSERT_TRUE(trail);
    std::vector<int> drawn;
    for (int i = 0; i <= kTokens; ++i) drawn.push_back(session->Next());
    session->EndTrail();
    for (int i = 0; i < 20; ++i) session->Next();
    const int steps = model_->can_read_again() ? kTokens : 0;
    ASSERT_EQ(trail->steps.size(), size_t(steps));
    EXPECT_EQ(trail->bytes(), Session::TrailBytes(*model_, steps));
    EXPECT_EQ(Session::TrailBytes(*model_, 1) > Session::TrailBytes(*model_, 0),
              model_->can_read_again());
    const auto twin = Begun(place);
    for (int i = 0; i <= steps; ++i) {
      EXPECT_EQ(twin->Next(), drawn[i]);
      const auto clone = session->Clone();
      clone->GoAlong(*trail, i);
      ExpectSame(*clone, *twin);
      EXPECT_EQ(clone->Next(), drawn[i]);
      if (i == kTokens) continue;
      EXPECT_EQ(clone->Next(), drawn[i + 1]);
    }
    // One that was cut there can be gone back along again.
    session->GoAlong(*trail, steps);
    session->GoAlong(*trail, steps / 2);
    EXPECT_EQ(session->position(), place + steps / 2);
    EXPECT_EQ(session->Next(), drawn[steps / 2]);
    trail->Thin();
    session->GoAlong(*trail, 0);
    EXPECT_EQ(session->Next(), drawn[0]);
  }
}

TEST_P(Trails, HaveStepsOfGuessesThatWereDrawn) {
  if (!model_->can_read_again()) return;
  const auto truth = Begun(60);
  std::vector<int> drawn;
  for (int i = 0; i < 12; ++i) drawn.push_back(truth->Next());
  for (const int right : {0, 3, kMostGuesses}) {
    const auto session = Begun(60), twin = Begun(60);
    ASSERT_TRUE(session->ReserveGuesses());
    const auto trail = session->LeaveTrail();
    session->Next();
    std::vector<int> guesses(drawn.begin() + 1,
                             drawn.begin() + 1 + kMostGuesses);
    if (right < kMostGuesses) {
      guesses[right] = (guesses[right] + 1) % model_->vocab();
    }
    DrawGuessed(*session, guesses);
    session->Next();
    ASSERT_EQ(trail->steps.size(), size_t(right) + 2);
    for (int i = 0; i <= right + 2; ++i) {
      EXPECT_EQ(twin->Next(), drawn[i]);
      const auto clone = session->Clone();
      clone->GoAlong(*trail, i);
      ExpectSame(*clone, *twin);
      EXPECT_EQ(clone->Next(), drawn[i]);
    }
  }
}

TEST_P(Trails, OfTextsThatAreWrittenTogetherAreTheirOwn) {
  const auto first = Begun(30), second = Begun(50), twin = Begun(50);
  const auto trail = second->LeaveTrail();
  Session* const both[] = {first.get(), second.get()};
  int tokens[2];
  for (int i = 0; i < 10; ++i) Session::NextTogether(both, tokens);
  const int steps = static_cast<int>(trail->steps.size()) / 2;
  for (int i = 0; i <= steps; ++i) twin->Next();
  second->GoAlong(*trail, steps);
  ExpectSame(*second, *twin);
}

TEST_P(Trails, EndWhereATextMovesInAnotherWay) {
  const auto session = Begun(20);
  const auto trail = session->LeaveTrail();
  session->Next(), session->Next();
  const size_t steps = trail->steps.size();
  ASSERT_TRUE(session->Prefill(ids_.data(), 3, true));
  session->Next(), session->Next();
  EXPECT_EQ(trail->steps.size(), steps);
}

TEST_P(Trails, WithoutMemoryForAStepLeadNoFurther) {
  const auto session = Begun(20), twin = Begun(20);
  RefuseAllocationAfter(0);
  EXPECT_FALSE(session->LeaveTrail());
  RefuseAllocationAfter(-1);
  const auto trail = session->LeaveTrail();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(session->Next(), twin->Next());
  const size_t steps = trail->steps.size();
  RefuseAllocationAfter(0);
  const int drawn = session->Next();
  RefuseAllocationAfter(-1);
  EXPECT_EQ(drawn, twin->Next());
  for (int i = 0; i < 3; ++i) EXPECT_EQ(session->Next(), twin->Next());
  EXPECT_EQ(trail->steps.size(), steps);
  session->GoAlong(*trail, static_cast<int>(steps));
  EXPECT_EQ(session->position(), 20 + static_cast<int>(steps));
}

INSTANTIATE_TEST_SUITE_P(All, Trails, testing::ValuesIn(kGoldenModels),
                         [](const auto& info) {
                           return std::string(info.param);
                         });

}  // namespace
}  // namespace fastweights
