// SPDX-License-Identifier: MIT

// Texts whose keys and values are kept in fewer bytes, on every golden model
// that has some: the laws of sessions to the bit, and how far logits are off.

#include <algorithm>

#include "kernel_test.h"
#include "runtime/golden_model.h"
#include "runtime/guessing.h"
#include "runtime/same_text.h"
#include "runtime/session.h"

namespace fastweights {
namespace {

using Logits = std::vector<float>;
using Param = std::tuple<const char*, KvType>;

class KvTypes : public testing::TestWithParam<Param> {
 protected:
  KvTypes()
      : model_(LoadModel(std::get<0>(GetParam()),
                         {.kv = std::get<1>(GetParam())})),
        ids_(GoldenTexts(std::get<0>(GetParam()))[1].ids) {}

  std::unique_ptr<Session> NewSession() const { return Session::Make(model_); }

  Logits Read(Session& session, int from, int to, int step) const {
    for (int t = from; t < to; t += step) {
      const int part = std::min(step, to - t);
      EXPECT_TRUE(session.Prefill(ids_.data() + t, part, t + part == to));
    }
    return {session.logits(), session.logits() + model_->vocab()};
  }

  std::shared_ptr<Model> model_;
  std::vector<int> ids_;  // 130 of them, just over two pages
};

TEST_P(KvTypes, SplitsChangeNoBit) {
  const auto session = NewSession();
  const Logits whole = Read(*session, 0, 130, 130);
  for (const int step : {1, 7, 64, 65}) {
    const auto other = NewSession();
    EXPECT_TRUE(Same(Read(*other, 0, 130, step), whole)) << step;
    ExpectSamePages(*other, *session, *model_);
  }
}

TEST_P(KvTypes, ThreadsChangeNoBit) {
  const auto [name, kv] = GetParam();
  const auto session = NewSession();
  const Logits alone = Read(*session, 0, 130, 13);
  const auto model = LoadModel(name, {.threads = 3, .kv = kv});
  const auto shared = Session::Make(model);
  EXPECT_TRUE(Same(Read(*shared, 0, 130, 13), alone));
}

TEST_P(KvTypes, ClonesAndPlacesGoOnAsTheTextWould) {
  const auto session = NewSession(), twin = NewSession();
  const Logits expected = Read(*twin, 0, 80, 1);
  Read(*session, 0, 70, 70);
  const auto place = session->Mark(false);
  const auto clone = session->Clone();
  ASSERT_TRUE(place && clone);
  Read(*session, 100, 130, 30);
  session->Rewind(*place);
  EXPECT_TRUE(Same(Read(*session, 70, 80, 10), expected));
  EXPECT_TRUE(Same(Read(*clone, 70, 80, 3), expected));
  ExpectSamePages(*session, *twin, *model_);
  ExpectSamePages(*clone, *twin, *model_);
}

TEST_P(KvTypes, GuessesThatWereWrongLeaveNothing) {
  if (!model_->can_read_again()) return;
  const auto session = NewSession(), twin = NewSession();
  for (Session* text : {session.get(), twin.get()}) {
    text->sampler().Configure({.temperature = 0});
    Read(*text, 0, 62, 62);
    text->Next();
  }
  ASSERT_TRUE(session->ReserveGuesses());
  const int truth = twin->Next();
  const int guesses[] = {(truth + 1) % model_->vocab(), 0, 1, 2};
  ASSERT_EQ(DrawGuessed(*session, guesses), std::vector<int>{truth});
  ExpectSamePages(*session, *twin, *model_);
  EXPECT_EQ(session->Next(), twin->Next());
}

// Random weights: how exact it is for models that were trained is not said.
TEST_P(KvTypes, LogitsAreNearThoseOfFloats) {
  const auto [name, kv] = GetParam();
  const auto floats = Session::Make(LoadModel(name));
  const auto session = NewSession();
  const Logits expected = Read(*floats, 0, 130, 130);
  EXPECT_TRUE(Near(Read(*session, 0, 130, 130), expected, 5e-3));
  const double share =
      static_cast<double>(session->kv_bytes()) / floats->kv_bytes();
  // Beside int8 three numbers for a key and a value, here of 16 dims and more.
  EXPECT_LE(share, kv == KvType::kBf16 ? 0.5 : 0.36);
}

INSTANTIATE_TEST_SUITE_P(
    All, KvTypes,
    testing::Combine(testing::Values("qwen3_5", "lfm2", "falcon_h1",
                                     "granite_moe_hybrid", "jamba_tied",
                                     "nemotron_h", "olmo_hybrid"),
                     testing::Values(KvType::kBf16, KvType::kInt8)),
    [](const auto& info) {
      return std::string(std::get<0>(info.param)) +
             (std::get<1>(info.param) == KvType::kBf16 ? "_bf16" : "_int8");
    });

}  // namespace
}  // namespace fastweights
