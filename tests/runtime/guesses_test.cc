// SPDX-License-Identifier: MIT

// Tokens that are guessed and read together with the one before them, on every
// golden model: what is drawn, and what is left, is what Next would have drawn
// and left.

#include <algorithm>
#include <cstring>

#include "kernel_test.h"
#include "runtime/golden_model.h"
#include "runtime/session.h"

namespace fastweights {
namespace {

class Guesses : public testing::TestWithParam<const char*> {
 protected:
  Guesses()
      : model_(LoadModel(GetParam())), ids_(GoldenTexts(GetParam())[1].ids) {}

  std::unique_ptr<Session> Begun(int tokens,
                                 const SamplerOptions& options) const {
    auto session = Session::Make(model_);
    session->sampler().Configure(options);
    session->sampler().Seed(7);
    EXPECT_TRUE(session->Prefill(ids_.data(), tokens, true));
    return session;
  }

  // To the bit.
  void ExpectSame(const Session& session, const Session& twin) const {
    EXPECT_EQ(session.position(), twin.position());
    EXPECT_EQ(session.pending(), twin.pending());
    EXPECT_EQ(session.kv_bytes(), twin.kv_bytes());
    const auto same = [](const float* a, const float* b, size_t floats) {
      return std::memcmp(a, b, floats * sizeof(float)) == 0;
    };
    EXPECT_TRUE(same(session.state(), twin.state(), model_->state_floats()));
    EXPECT_TRUE(same(session.logits(), twin.logits(), model_->vocab()));
    for (int i = 0; i < session.pages(); ++i) {
      EXPECT_TRUE(same(session.page(i), twin.page(i), model_->page_floats()));
    }
    for (const PlacedMixer* placed : model_->StateLayers()) {
      const StateMatrices matrices = placed->mixer->Matrices();
      EXPECT_TRUE(same(session.trace(*placed), twin.trace(*placed),
                       size_t(matrices.heads) * matrices.trace_floats));
    }
  }

  int Wrong(int token) const { return (token + 1) % model_->vocab(); }

  std::shared_ptr<Model> model_;
  std::vector<int> ids_;  // 130 of them
};

// From each place of two chunks and over a page's end; as many guesses as there
// may be, of which the first few are right.
TEST_P(Guesses, DrawAndLeaveWhatOneAtATimeDoes) {
  const SamplerOptions kOptions[] = {{.temperature = 0},
                                     {.temperature = 1.5f,
                                      .repetition_penalty = 1.3f,
                                      .frequency_penalty = 0.4f}};
  if (!model_->can_read_again()) return;
  for (const SamplerOptions& options : kOptions) {
    for (int place = 56; place < 72; ++place) {
      const int right = place % (kMostGuesses + 1);
      const auto truth = Begun(place, options);
      std::vector<int> drawn;
      for (int i = 0; i < kMostGuesses + 3; ++i) drawn.push_back(truth->Next());

      const auto session = Begun(place, options), twin = Begun(place, options);
      ASSERT_TRUE(session->ReserveGuesses());
      ASSERT_EQ(session->Next(), drawn[0]);
      int guesses[kMostGuesses], tokens[kMostGuesses + 1];
      std::copy_n(drawn.data() + 1, kMostGuesses, guesses);
      if (right < kMostGuesses) guesses[right] = Wrong(guesses[right]);
      ASSERT_EQ(session->NextGuessed(guesses, kMostGuesses, nullptr, tokens),
                right + 1);
      EXPECT_TRUE(std::equal(tokens, tokens + right + 1, drawn.data() + 1));

      for (int i = 0; i < right + 2; ++i) twin->Next();
      ExpectSame(*session, *twin);
      EXPECT_EQ(session->Next(), twin->Next());
      ExpectSame(*session, *twin);
    }
  }
}

TEST_P(Guesses, EachDrawHasARestrictionOfItsOwn) {
  if (!model_->can_read_again()) return;
  const auto session = Begun(20, {.temperature = 0});
  ASSERT_TRUE(session->ReserveGuesses());
  session->Next();
  const int words = (model_->vocab() + 31) / 32;
  std::vector<uint32_t> allowed(3 * words);
  const int kOnly[] = {5, 3, 9};
  for (int i = 0; i < 3; ++i) allowed[i * words] = 1u << kOnly[i];
  const int guesses[] = {5, 3};
  int tokens[3];
  ASSERT_EQ(session->NextGuessed(guesses, 2, allowed.data(), tokens), 3);
  EXPECT_TRUE(std::equal(tokens, tokens + 3, kOnly));
  std::fill_n(allowed.data() + words, words, 0u);
  const int more[] = {5, 3};
  ASSERT_EQ(session->NextGuessed(more, 2, allowed.data(), tokens), 2);
  EXPECT_EQ(tokens[0], 5);
  EXPECT_EQ(tokens[1], kForbidden);
  EXPECT_EQ(session->position(), 20 + 3 + 2);
}

TEST_P(Guesses, WhatCannotGoBackSaysSo) {
  const auto session = Session::Make(model_);
  EXPECT_EQ(session->ReserveGuesses(), model_->can_read_again());
}

TEST(GuessesOfModels, TextsOfTheseCanBeTakenBack) {
  for (const char* name : {"qwen3_5", "qwen3_5_linear", "mamba2",
                           "granite_moe_hybrid", "falcon_h1", "lfm2"}) {
    EXPECT_TRUE(LoadModel(name)->can_read_again()) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Models, Guesses, testing::ValuesIn(kGoldenModels));

}  // namespace
}  // namespace fastweights
