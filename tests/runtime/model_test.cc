// SPDX-License-Identifier: MIT

// Is the model the model? Logits of the reference implementation.

#include <algorithm>

#include "kernel_test.h"
#include "runtime/golden_model.h"

namespace fastweights {
namespace {

constexpr double kLimit = 1e-5;

class GoldenModel : public testing::TestWithParam<const char*> {
 protected:
  GoldenModel() : model_(LoadModel(GetParam())) {}

  // Reads ids in calls of at most batch_tokens; logits after the last one.
  std::span<const float> Read(Session& session, const std::vector<int>& ids) {
    const int count = static_cast<int>(ids.size());
    for (int t = 0; t < count; t += model_->batch_tokens()) {
      const int part = std::min(model_->batch_tokens(), count - t);
      EXPECT_TRUE(session.Prefill(ids.data() + t, part, t + part == count));
    }
    return {session.logits(), static_cast<size_t>(model_->vocab())};
  }

  std::shared_ptr<Model> model_;
};

TEST_P(GoldenModel, LastLogitsAreTheReferences) {
  for (const GoldenText& text : GoldenTexts(GetParam())) {
    const auto session = Session::Make(model_);
    const std::span<const float> expected(text.logits);
    EXPECT_TRUE(
        Near(Read(*session, text.ids), expected.last(model_->vocab()), kLimit))
        << text.ids.size() << " tokens";
  }
}

TEST_P(GoldenModel, LogitsAtEveryPositionAreTheReferences) {
  for (const GoldenText& text : GoldenTexts(GetParam())) {
    const auto session = Session::Make(model_);
    const int count = static_cast<int>(text.ids.size());
    std::vector<float> logits;
    for (int t = 0; t < count; t += model_->logit_rows()) {
      const int part = std::min(model_->logit_rows(), count - t);
      const float* part_logits = session->Evaluate(text.ids.data() + t, part);
      ASSERT_NE(part_logits, nullptr);
      logits.insert(logits.end(), part_logits,
                    part_logits + part * model_->vocab());
    }
    EXPECT_TRUE(Near(logits, text.logits, kLimit)) << count << " tokens";
  }
}

TEST_P(GoldenModel, GreedyTextIsTheReferences) {
  for (const GoldenText& text : GoldenTexts(GetParam())) {
    const auto session = Session::Make(model_);
    session->sampler().Configure({.temperature = 0.0f});
    Read(*session, text.ids);
    for (const int expected : text.greedy) {
      EXPECT_EQ(session->Next(), expected);
    }
  }
}

TEST_P(GoldenModel, RowsMayArriveInAnyPieces) {
  const std::shared_ptr<Model> pieces = LoadModel(GetParam(), {}, 7);
  const GoldenText text = GoldenTexts(GetParam())[0];
  const auto session = Session::Make(model_), other = Session::Make(pieces);
  const std::span<const float> logits = Read(*session, text.ids);
  EXPECT_TRUE(Same(Read(*other, text.ids), logits));
}

INSTANTIATE_TEST_SUITE_P(All, GoldenModel, testing::ValuesIn(kGoldenModels),
                         [](const auto& info) {
                           return std::string(info.param);
                         });

}  // namespace
}  // namespace fastweights
