// SPDX-License-Identifier: MIT

// Tokens that are guessed and read together with the one before them, on every
// golden model: what is drawn, and what is left, is what Next would have drawn
// and left.

#include <algorithm>

#include "kernel_test.h"
#include "runtime/golden_model.h"
#include "runtime/guessing.h"
#include "runtime/same_text.h"
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
    EXPECT_EQ(session.pending(), twin.pending());
    ExpectSameText(session, twin, *model_);
    for (const PlacedMixer* placed : model_->StateLayers()) {
      const StateMatrices matrices = placed->mixer->Matrices();
      EXPECT_TRUE(SameBits(session.trace(*placed), twin.trace(*placed),
                           size_t(matrices.heads) * matrices.trace_floats));
    }
  }

  int Wrong(int token) const { return (token + 1) % model_->vocab(); }

  std::shared_ptr<Model> model_;
  std::vector<int> ids_;  // 130 of them
};

// From each place of two chunks and over a page's end; as many guesses as there
// may be, of which the first few are right, and as many drawn as are right and
// one more, or fewer.
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
      std::vector<int> guesses(drawn.begin() + 1,
                               drawn.begin() + 1 + kMostGuesses);
      if (right < kMostGuesses) guesses[right] = Wrong(guesses[right]);

      for (const int most : {kMostGuesses + 1, place % 5 + 1}) {
        const int count = std::min(right + 1, most);
        const auto session = Begun(place, options),
                   twin = Begun(place, options);
        ASSERT_TRUE(session->ReserveGuesses());
        ASSERT_EQ(session->Next(), drawn[0]);
        EXPECT_EQ(
            DrawGuessed(*session, guesses, most),
            std::vector<int>(drawn.begin() + 1, drawn.begin() + 1 + count));
        for (int i = 0; i < count + 1; ++i) twin->Next();
        ExpectSame(*session, *twin);
        EXPECT_EQ(session->Next(), twin->Next());
        ExpectSame(*session, *twin);
      }
    }
  }
}

TEST_P(Guesses, EachDrawHasARestrictionOfItsOwn) {
  if (!model_->can_read_again()) return;
  const auto session = Begun(20, {.temperature = 0});
  ASSERT_TRUE(session->ReserveGuesses());
  session->Next();
  const auto draw = [&](uint32_t allowed) {
    session->sampler().Restrict()[0] = allowed;
    return session->DrawGuess();
  };
  const int guesses[] = {5, 3};
  ASSERT_TRUE(session->ReadGuesses(guesses, 2));
  EXPECT_EQ(draw(1u << 5), 5);
  EXPECT_EQ(draw(1u << 3), 3);
  EXPECT_EQ(draw(1u << 9), 9);
  session->EndGuesses();
  ASSERT_TRUE(session->ReadGuesses(guesses, 2));
  EXPECT_EQ(draw(1u << 5), 5);
  EXPECT_EQ(draw(0), kForbidden);
  session->EndGuesses();
  EXPECT_EQ(session->position(), 20 + 3 + 2);
}

// With restrictions that leave one token at some places: there is nothing to be
// drawn there, and all is as if it had been.
TEST_P(Guesses, WhatIsDecidedIsWhatARestrictionLeaves) {
  if (!model_->can_read_again()) return;
  const int vocab = model_->vocab();
  const auto next = [&](Session& session, int only, const auto& draw) {
    uint32_t* allowed = session.sampler().Restrict();
    for (int token = 0; token < vocab; ++token) {
      if (only < 0 || token == only) allowed[token / 32] |= 1u << token % 32;
    }
    return draw();
  };
  for (int place = 57; place < 66; ++place) {
    const uint32_t decided = 0x5b6d7u * place >> 5 & 0x7f;
    const auto only = [&](int i) {
      return decided >> i & 1 ? (place + 37 * i) % vocab : -1;
    };
    for (int most = 1; most <= kMostGuesses + 1; ++most) {
      const SamplerOptions options = {.temperature = 1.2f,
                                      .presence_penalty = 0.2f};
      const auto session = Begun(place, options), twin = Begun(place, options),
                 truth = Begun(place, options);
      ASSERT_TRUE(session->ReserveGuesses());
      session->Next(), twin->Next(), truth->Next();
      std::vector<int> guesses;
      for (int i = 0; i < kMostGuesses; ++i) {
        guesses.push_back(next(*truth, only(i), [&] { return truth->Next(); }));
        if (i < most) {
          EXPECT_EQ(next(*twin, only(i), [&] { return twin->Next(); }),
                    guesses[i]);
        }
      }
      ASSERT_TRUE(session->ReadGuesses(guesses.data(), kMostGuesses, decided));
      int drawn = -1;
      for (int i = 0; i < most; ++i) {
        drawn = next(*session, i < kMostGuesses ? only(i) : -1,
                     [&] { return session->DrawGuess(); });
        if (i < kMostGuesses) {
          EXPECT_EQ(drawn, guesses[i]);
        } else {
          EXPECT_EQ(drawn, next(*twin, -1, [&] { return twin->Next(); }));
        }
      }
      session->EndGuesses();
      ExpectSame(*session, *twin);
      EXPECT_EQ(session->Next(), twin->Next());
      ExpectSame(*session, *twin);
    }
  }
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
