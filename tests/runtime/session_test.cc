// SPDX-License-Identifier: MIT

// Do the parts fit? Laws of a session, on every golden model.

#include "runtime/session.h"

#include <algorithm>
#include <numeric>

#include "kernel_test.h"
#include "runtime/golden_model.h"

namespace fastweights {
namespace {

using Logits = std::vector<float>;

class SessionLaws : public testing::TestWithParam<const char*> {
 protected:
  SessionLaws()
      : model_(LoadModel(GetParam())), ids_(GoldenTexts(GetParam())[1].ids) {}

  std::unique_ptr<Session> NewSession() const { return Session::Make(model_); }

  // Reads ids_ [from, to) in calls of `step`; logits after the last one.
  Logits Read(Session& session, int from, int to, int step) const {
    for (int t = from; t < to; t += step) {
      const int part = std::min(step, to - t);
      EXPECT_TRUE(session.Prefill(ids_.data() + t, part, t + part == to));
    }
    return {session.logits(), session.logits() + model_->vocab()};
  }

  std::shared_ptr<Model> model_;
  std::vector<int> ids_;  // 130 of them, just over two pages and a batch
};

TEST_P(SessionLaws, SplitPrefillIsWholePrefill) {
  const auto session = NewSession();
  const Logits whole = Read(*session, 0, 130, model_->batch_tokens());
  EXPECT_EQ(session->position(), 130);
  for (const int step : {1, 3, 63, 64, 65, 127}) {
    const auto other = NewSession();
    EXPECT_TRUE(Same(Read(*other, 0, 130, step), whole)) << step;
    EXPECT_EQ(other->position(), 130);
  }
}

TEST_P(SessionLaws, TheLastTokenIsTheSameAloneAndAmongAll) {
  const int count = std::min(model_->logit_rows(), 13);
  const auto session = NewSession(), other = NewSession();
  const float* logits = other->Evaluate(ids_.data(), count);
  logits += static_cast<size_t>(count - 1) * model_->vocab();
  const Logits among_all(logits, logits + model_->vocab());
  EXPECT_TRUE(Same(Read(*session, 0, count, count), among_all));
  // And what both have left behind.
  EXPECT_TRUE(Same(Read(*session, count, 70, 70), Read(*other, count, 70, 3)));
}

TEST_P(SessionLaws, ProfileOnlyWatches) {
  const auto session = NewSession(), watched = NewSession();
  const Logits logits = Read(*session, 0, 70, 64);
  const int next = session->Next();
  model_->StartProfile();
  EXPECT_TRUE(Same(Read(*watched, 0, 70, 64), logits));
  EXPECT_EQ(watched->Next(), next);
  double heads = 0, draws = 0, products = 0;
  for (const Profile::Row& row : model_->StopProfile()) {
    const bool is_head = row.matrix == "output" || row.matrix == "token_embd";
    if (is_head) heads += row.calls;
    if (row.name == "sampler") draws += row.calls;
    for (const char* name :
         {"ffn_down", "channel_mix_value", "attn_output", "ssm_out"}) {
      if (row.matrix == name) products += row.calls;
    }
  }
  EXPECT_EQ(heads, 1);
  EXPECT_EQ(draws, 1);
  const GgufFile file(ReadGolden(GoldenModelFile(GetParam())));
  EXPECT_EQ(products,
            2 * TensorsThatEndWith(
                    file, {"ffn_down.weight", "channel_mix_value.weight",
                           "attn_output.weight", "ssm_out.weight"}));
  watched->Next();
  EXPECT_TRUE(model_->StopProfile().empty());
}

TEST_P(SessionLaws, LaterTokensDoNotReachEarlierLogits) {
  const auto session = NewSession(), changed = NewSession();
  std::vector<int> ids(ids_.begin(), ids_.begin() + model_->logit_rows());
  std::vector<int> others = ids;
  std::reverse(others.begin() + 9, others.end());
  const size_t before = 9 * static_cast<size_t>(model_->vocab());
  const float* logits = session->Evaluate(ids.data(), model_->logit_rows());
  const Logits first(logits, logits + before);
  logits = changed->Evaluate(others.data(), model_->logit_rows());
  EXPECT_TRUE(Same({logits, before}, first));
}

TEST_P(SessionLaws, CloneGoesOnAsTheOriginalWould) {
  for (const int at : {0, 1, 63, 64, 65}) {
    SCOPED_TRACE(at);
    const auto original = NewSession();
    if (at > 0) Read(*original, 0, at, 64);
    const auto clone = original->Clone();
    ASSERT_NE(clone, nullptr);
    EXPECT_EQ(clone->position(), at);
    EXPECT_EQ(clone->kv_bytes(), original->kv_bytes());
    EXPECT_TRUE(Same({clone->logits(), size_t(model_->vocab())},
                     {original->logits(), size_t(model_->vocab())}));
    const Logits expected = Read(*original, at, at + 5, 5);
    EXPECT_TRUE(Same(Read(*clone, at, at + 5, 5), expected));
  }
}

TEST_P(SessionLaws, DivergingCloneLeavesTheOriginalUntouched) {
  const auto original = NewSession(), alone = NewSession();
  Read(*original, 0, 60, 60);
  Read(*alone, 0, 60, 60);
  {
    const auto clone = original->Clone();
    Read(*clone, 90, 130, 40);  // over the border of a page
    EXPECT_EQ(clone->position(), 100);
    clone->Reset();
    Read(*clone, 7, 11, 1);
  }
  EXPECT_EQ(original->position(), 60);
  EXPECT_TRUE(Same(Read(*original, 60, 80, 20), Read(*alone, 60, 80, 20)));
}

// Texts of different lengths that join and leave between tokens.
TEST_P(SessionLaws, TogetherIsAlone) {
  constexpr int kTexts = 5, kSteps = 12;
  std::vector<std::unique_ptr<Session>> together, alone;
  for (int i = 0; i < kTexts; ++i) {
    for (auto* sessions : {&together, &alone}) {
      sessions->push_back(NewSession());
      Session& session = *sessions->back();
      session.sampler().Configure({.temperature = i % 2 == 0 ? 0.8f : 0});
      session.sampler().Seed(i);
      Read(session, i, 60 + 3 * i, 50);
    }
  }
  for (int step = 0; step < kSteps; ++step) {
    SCOPED_TRACE(step);
    std::vector<Session*> drawing;
    std::vector<int> expected;
    for (int i = 0; i < kTexts; ++i) {
      if ((step + i) % 4 == 0) continue;
      drawing.push_back(together[i].get());
      expected.push_back(alone[i]->Next());
    }
    std::vector<int> tokens(drawing.size(), -5);
    Session::NextTogether(drawing, tokens.data());
    EXPECT_EQ(tokens, expected);
  }
  for (int i = 0; i < kTexts; ++i) {
    EXPECT_EQ(together[i]->position(), alone[i]->position());
    EXPECT_TRUE(Same({together[i]->logits(), size_t(model_->vocab())},
                     {alone[i]->logits(), size_t(model_->vocab())}));
    EXPECT_TRUE(Same({together[i]->state(), size_t(model_->state_floats())},
                     {alone[i]->state(), size_t(model_->state_floats())}));
  }
}

TEST_P(SessionLaws, SessionsDoNotTouchEachOther) {
  const auto one = NewSession(), other = NewSession(), alone = NewSession();
  Logits logits;
  for (int t = 0; t < 70; t += 10) {
    logits = Read(*one, t, t + 10, 10);
    Read(*other, 129 - t, 130 - t, 1);
  }
  EXPECT_TRUE(Same(logits, Read(*alone, 0, 70, 10)));
}

TEST_P(SessionLaws, ResetIsANewSession) {
  const auto used = NewSession(), fresh = NewSession();
  Read(*used, 30, 130, 100);
  used->Next();
  used->Reset();
  EXPECT_EQ(used->position(), 0);
  EXPECT_EQ(used->kv_bytes(), 0u);
  EXPECT_TRUE(Same(Read(*used, 0, 70, 70), Read(*fresh, 0, 70, 70)));
}

TEST_P(SessionLaws, ResetForgetsWhatPenaltiesCount) {
  const auto used = NewSession(), fresh = NewSession();
  const SamplerOptions options = {.temperature = 0.0f,
                                  .presence_penalty = 50.0f};
  used->sampler().Configure(options);
  fresh->sampler().Configure(options);
  Read(*fresh, 0, 7, 7);
  const int best = fresh->Next();
  ASSERT_TRUE(used->Prefill(&best, 1, true));
  used->Reset();
  Read(*used, 0, 7, 7);
  EXPECT_EQ(used->Next(), best);
}

TEST_P(SessionLaws, GreedyNextIsTheLargestLogit) {
  const auto session = NewSession(), by_hand = NewSession();
  session->sampler().Configure({.temperature = 0.0f});
  Read(*session, 0, 7, 7);
  Logits logits = Read(*by_hand, 0, 7, 7);
  for (int i = 0; i < 8; ++i) {
    const int token = session->Next();
    ASSERT_EQ(token,
              std::max_element(logits.begin(), logits.end()) - logits.begin());
    // A token that was drawn is read when the next one is asked for.
    EXPECT_EQ(session->position(), 7 + i);
    by_hand->Prefill(&token, 1, true);
    logits.assign(by_hand->logits(), by_hand->logits() + model_->vocab());
  }
}

TEST_P(SessionLaws, ReadingTakesThePlaceOfADrawnToken) {
  const auto prefilled = NewSession(), evaluated = NewSession();
  const auto plain = NewSession();
  for (Session* session : {prefilled.get(), evaluated.get(), plain.get()}) {
    session->sampler().Configure({.temperature = 0.0f});
    Read(*session, 0, 7, 7);
  }
  prefilled->Next();
  evaluated->Next();
  evaluated->Evaluate(ids_.data() + 7, 2);
  EXPECT_TRUE(Same(Read(*prefilled, 7, 9, 2), Read(*plain, 7, 9, 2)));
  prefilled->Next();
  EXPECT_EQ(prefilled->position(), 9);
  evaluated->Next();
  EXPECT_EQ(evaluated->position(), 9);
}

TEST_P(SessionLaws, CloneReadsTheDrawnTokenToo) {
  const auto original = NewSession();
  Read(*original, 0, 7, 7);
  original->sampler().Seed(3);
  original->Next();
  const auto clone = original->Clone();
  for (int i = 0; i < 5; ++i) EXPECT_EQ(clone->Next(), original->Next());
  EXPECT_EQ(clone->position(), original->position());
}

TEST_P(SessionLaws, ScoreIsMinusLogSoftmaxOfEvaluate) {
  constexpr int kCount = 40, kNext = 17;
  const auto session = NewSession(), other = NewSession();
  double expected = 0.0, last = 0.0;
  for (int t = 0; t < kCount; ++t) {
    const float* logits = session->Evaluate(ids_.data() + t, 1);
    const int next = t + 1 < kCount ? ids_[t + 1] : kNext;
    double sum = 0.0;
    for (int i = 0; i < model_->vocab(); ++i) {
      sum += std::exp(double{logits[i]} - logits[next]);
    }
    last = std::log(sum);
    expected += last;
  }
  EXPECT_NEAR(other->Score(ids_.data(), kCount, kNext) / expected, 1.0, 1e-6);
  EXPECT_EQ(other->position(), kCount);
  const auto without = NewSession();
  EXPECT_NEAR(without->Score(ids_.data(), kCount, -1) / (expected - last), 1.0,
              1e-6);
}

TEST_P(SessionLaws, MostLikelyTokensComeBestFirst) {
  const auto session = NewSession();
  const Logits logits = Read(*session, 0, 7, 7);
  std::vector<int> order(logits.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return logits[a] > logits[b]; });
  for (const int count : {1, 2, 20, model_->vocab()}) {
    std::vector<int> best(count, -1);
    session->MostLikely(count, best.data());
    EXPECT_TRUE(std::equal(best.begin(), best.end(), order.begin())) << count;
  }
  double total = 0.0;
  for (int i = 0; i < model_->vocab(); ++i) {
    total += std::exp(session->logits()[i] - session->LogTotal());
  }
  EXPECT_NEAR(total, 1.0, 1e-6);
}

TEST_P(SessionLaws, OnlySoftmaxLayersGrow) {
  const auto session = NewSession();
  const size_t page = model_->page_floats() * sizeof(float);
  const GgufFile file(ReadGolden(GoldenModelFile(GetParam())));
  // Linear layers that have keys of their own have a norm behind them.
  int growing = 0;
  for (const GgufFile::Tensor& tensor : file.tensors()) {
    const std::string& name = tensor.shape.name;
    if (!name.ends_with("attn_k.weight")) continue;
    const std::string block = name.substr(0, name.find("attn_k"));
    growing +=
        TensorsThatEndWith(file, {(block + "ssm_norm.weight").c_str()}) == 0;
  }
  EXPECT_EQ(page != 0, growing > 0);
  EXPECT_EQ(session->kv_bytes(), 0u);
  Read(*session, 0, 64, 64);
  EXPECT_EQ(session->kv_bytes(), page);
  Read(*session, 64, 65, 1);
  EXPECT_EQ(session->kv_bytes(), 2 * page);
  EXPECT_GE(Session::StateBytes(*model_),
            model_->state_floats() * sizeof(float));
}

INSTANTIATE_TEST_SUITE_P(All, SessionLaws, testing::ValuesIn(kGoldenModels),
                         [](const auto& info) {
                           return std::string(info.param);
                         });

}  // namespace
}  // namespace fastweights
