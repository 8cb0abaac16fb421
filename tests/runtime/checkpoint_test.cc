// SPDX-License-Identifier: MIT

// Places in a text to come back to, and texts made of what another left, on
// every golden model.

#include <algorithm>

#include "kernel_test.h"
#include "runtime/golden_model.h"
#include "runtime/session.h"

namespace fastweights {
namespace {

using Logits = std::vector<float>;

class Checkpoints : public testing::TestWithParam<const char*> {
 protected:
  Checkpoints()
      : model_(LoadModel(GetParam())), ids_(GoldenTexts(GetParam())[1].ids) {}

  std::unique_ptr<Session> NewSession() const { return Session::Make(model_); }

  Logits Read(Session& session, int from, int to) const {
    for (int t = from; t < to; ++t) {
      EXPECT_TRUE(session.Prefill(ids_.data() + t, 1, t + 1 == to));
    }
    return {session.logits(), session.logits() + model_->vocab()};
  }

  std::shared_ptr<Model> model_;
  std::vector<int> ids_;  // 130 of them
};

// At the start, within a chunk and a page, at their ends and beyond.
TEST_P(Checkpoints, RewoundATextIsAsIfTheRestHadNeverBeen) {
  for (const int place : {1, 8, 13, 64, 65, 100}) {
    const auto session = NewSession(), twin = NewSession();
    Read(*session, 0, place);
    const auto checkpoint = session->Mark(false);
    ASSERT_TRUE(checkpoint);
    for (int t = 129; t > place; --t) {
      ASSERT_TRUE(session->Prefill(ids_.data() + t, 1, false));
    }
    for (int again = 0; again < 2; ++again) {
      session->Rewind(*checkpoint);
      EXPECT_EQ(session->position(), place);
      const Logits found = Read(*session, place, 130);
      if (again == 0) Read(*twin, 0, place);
      if (again == 0) Read(*twin, place, 130);
      EXPECT_TRUE(
          Same(found, {twin->logits(), twin->logits() + model_->vocab()}))
          << place;
      EXPECT_EQ(session->kv_bytes(), twin->kv_bytes());
    }
  }
}

TEST_P(Checkpoints, PenaltiesCountWhatIsInTheTextAlone) {
  const SamplerOptions options = {.temperature = 0, .presence_penalty = 1e6f};
  const auto session = NewSession(), twin = NewSession();
  for (Session* text : {session.get(), twin.get()}) {
    text->sampler().Configure(options);
    Read(*text, 0, 20);
  }
  const auto checkpoint = session->Mark(false);
  Read(*session, 20, 120);
  session->Rewind(*checkpoint);
  Read(*session, 20, 25);
  Read(*twin, 20, 25);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(session->Next(), twin->Next());
}

TEST_P(Checkpoints, WithItsLogitsAPlaceIsToDrawFrom) {
  const auto session = NewSession();
  session->sampler().Configure({.temperature = 0});
  const Logits there = Read(*session, 0, 70);
  const auto checkpoint = session->Mark(true);
  ASSERT_TRUE(checkpoint);
  const size_t floats = model_->state_floats() + model_->vocab();
  EXPECT_EQ(checkpoint->bytes, floats * sizeof(float));
  std::vector<int> drawn(10), again(10);
  for (int& token : drawn) token = session->Next();
  EXPECT_NE(Read(*session, 70, 130), there);
  session->Rewind(*checkpoint);
  EXPECT_TRUE(
      Same(there, {session->logits(), session->logits() + model_->vocab()}));
  for (int& token : again) token = session->Next();
  EXPECT_EQ(again, drawn);
}

TEST_P(Checkpoints, ACloneComesBackToThemToo) {
  const auto session = NewSession(), twin = NewSession();
  Read(*session, 0, 40);
  const auto checkpoint = session->Mark(false);
  Read(*session, 40, 80);
  const auto clone = session->Clone();
  clone->Rewind(*checkpoint);
  Read(*twin, 0, 40);
  EXPECT_TRUE(Same(Read(*clone, 40, 130), Read(*twin, 40, 130)));
  // The original has not moved.
  EXPECT_EQ(session->position(), 80);
  EXPECT_TRUE(Same(Read(*session, 80, 130),
                   {twin->logits(), twin->logits() + model_->vocab()}));
}

TEST_P(Checkpoints, ATextOfAnothersPartsGoesOnAsThat) {
  const auto session = NewSession(), other = NewSession();
  Read(*session, 0, 70);
  const int drawn = session->Next();
  ASSERT_TRUE(other->Restore(session->position(), session->pending(), false));
  ASSERT_EQ(other->pages(), session->pages());
  std::copy_n(session->state(), model_->state_floats(), other->state());
  for (int i = 0; i < other->pages(); ++i) {
    std::copy_n(session->page(i), model_->page_floats(), other->page(i));
  }
  std::vector<int> history(Sampler::kHistory);
  const int count = session->sampler().History(history.data());
  EXPECT_EQ(count, 70);
  EXPECT_TRUE(std::equal(ids_.begin(), ids_.begin() + 70, history.begin()));
  other->sampler().SetHistory(count, history.data());
  other->sampler().Seed(session->sampler().generator());
  EXPECT_GE(drawn, 0);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(other->Next(), session->Next());
}

INSTANTIATE_TEST_SUITE_P(All, Checkpoints, testing::ValuesIn(kGoldenModels),
                         [](const auto& info) {
                           return std::string(info.param);
                         });

}  // namespace
}  // namespace fastweights
