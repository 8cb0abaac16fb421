// SPDX-License-Identifier: MIT

// Random operations on a handful of sessions of every golden model, each held
// to the tokens that its text must be and to how it must draw.

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "kernel_test.h"
#include "runtime/golden_model.h"
#include "runtime/session.h"
#include "runtime/session_truth.h"

namespace fastweights {
namespace {

constexpr uint64_t kSeed = 2;
// Of each model, ten thousand of all: under sanitizers a pass takes 1 to 2 ms.
constexpr int kOperations = 10002 / std::size(kGoldenModels);
constexpr int kCompareEvery = 20;
constexpr size_t kMostTexts = 8, kMostPlaces = 3;

class RandomOperations : public testing::TestWithParam<const char*> {
 protected:
  // Each gives a text that it touched; null where it could not be done.
  using Operation = Text* (RandomOperations::*)(Text&);

  RandomOperations() : model_(LoadModel(GetParam())), random_(kSeed) {
    texts_.reserve(kMostTexts);
    EXPECT_TRUE(drawer_.Reserve(model_->vocab()));
  }

  void Play();

 private:
  int Below(int limit) { return random_.Below(limit); }
  // 1 to `most`.
  int UpTo(int most) { return 1 + Below(most); }
  template <typename List>
  auto& Pick(List& list) {
    return list[Below(static_cast<int>(std::size(list)))];
  }
  std::vector<int> Ids(int most) {
    std::vector<int> ids(UpTo(most));
    for (int& id : ids) id = Below(model_->vocab());
    return ids;
  }
  std::span<const float> State(const Session& session) const {
    return {session.state(), size_t(model_->state_floats())};
  }
  std::span<const float> LogitsOf(const Session& session) const {
    return {session.logits(), size_t(model_->vocab())};
  }
  std::span<const float> Page(const Session& session, int i) const {
    return {session.page(i), size_t(model_->page_floats())};
  }
  std::span<const int> History(Session& session) {
    const int count = session.sampler().History(history_.data());
    return {history_.data(), static_cast<size_t>(count)};
  }

  Text* Make(Text&);
  Text* Read(Text& one);
  Text* Evaluate(Text& one);
  Text* DrawAlone(Text& one);
  Text* DrawTogether(Text&);
  Text* DrawAsGuessed(Text& one);
  Text* Undraw(Text& one);
  Text* Clone(Text& one);
  Text* Mark(Text& one);
  Text* Rewind(Text& one);
  Text* Save(Text& one);
  Text* Restore(Text& one);
  Text* Reset(Text& one);
  Text* Configure(Text& one);
  Text* Restrict(Text& one);
  Text* Destroy(Text& one);

  // In one call or in pieces.
  void Prefill(Session& session, std::span<const int> ids, bool wants_logits);
  void Draw(std::span<Text* const> drawing);
  // Whether everything that costs no pass is as it must be.
  void Look(Text& one);
  // Whether the rest is, and the next token is that of a session that has been
  // told nothing but the truth.
  void Compare(Text& one);

  std::shared_ptr<Model> model_;
  Random random_;
  std::vector<Text> texts_;
  std::optional<Saved> saved_;
  Sampler drawer_;  // of no session
  std::array<int, Sampler::kHistory> history_;
};

void RandomOperations::Prefill(Session& session, std::span<const int> ids,
                               bool wants_logits) {
  const int most = Below(8) == 0 ? 40 : 0;
  while (!ids.empty()) {
    const size_t count = most > 0 ? UpTo(most) : kMostTokens;
    const auto piece = ids.first(std::min(count, ids.size()));
    ids = ids.subspan(piece.size());
    ASSERT_TRUE(session.Prefill(piece.data(), static_cast<int>(piece.size()),
                                wants_logits && ids.empty()));
  }
}

Text* RandomOperations::Make(Text&) {
  if (texts_.size() == kMostTexts) return nullptr;
  texts_.push_back({.session = Session::Make(model_), .truth = {}});
  return &texts_.back();
}

Text* RandomOperations::Read(Text& one) {
  if (one.truth.room() <= 0) return nullptr;
  // One or two tokens, a few chunks, and over the border of a page.
  const int most[] = {2, 2, 2, 2, 24, 24, kMostTokens};
  const std::vector<int> ids = Ids(std::min(Pick(most), one.truth.room()));
  const bool wants_logits = Below(4) > 0;
  Prefill(*one.session, ids, wants_logits);
  one.truth.Read(ids, wants_logits);
  return &one;
}

Text* RandomOperations::Evaluate(Text& one) {
  if (one.truth.room() <= 0) return nullptr;
  const std::vector<int> ids = Ids(std::min(2, one.truth.room()));
  const int count = static_cast<int>(ids.size());
  const auto clone = Below(8) == 0 ? one.session->Clone() : nullptr;
  if (clone) Prefill(*clone, ids, true);
  const float* logits = one.session->Evaluate(ids.data(), count);
  logits += (count - 1) * model_->vocab();
  if (clone) {
    EXPECT_TRUE(Same({logits, LogitsOf(*clone).size()}, LogitsOf(*clone)));
  }
  one.truth.Read(ids, false);
  return &one;
}

void RandomOperations::Draw(std::span<Text* const> drawing) {
  std::vector<Session*> sessions;
  for (Text* text : drawing) sessions.push_back(text->session.get());
  std::vector<int> tokens(drawing.size(), -5);
  if (drawing.size() == 1) {
    tokens[0] = sessions[0]->Next();
  } else {
    Session::NextTogether(sessions, tokens.data());
  }
  for (size_t i = 0; i < drawing.size(); ++i) {
    Truth& truth = drawing[i]->truth;
    truth.Draw(drawer_, sessions[i]->logits());
    EXPECT_EQ(tokens[i], truth.pending);
  }
}

Text* RandomOperations::DrawAlone(Text& one) {
  if (!one.truth.can_draw()) return nullptr;
  Text* const drawing[] = {&one};
  Draw(drawing);
  return &one;
}

Text* RandomOperations::Undraw(Text& one) {
  if (!one.truth.has_logits) return nullptr;
  one.session->Undraw();
  one.truth.pending = -1;
  return &one;
}

Text* RandomOperations::DrawTogether(Text&) {
  std::vector<Text*> drawing;
  for (Text& text : texts_) {
    if (text.truth.can_draw() && Below(2) == 0) drawing.push_back(&text);
  }
  const size_t most = model_->logit_rows();
  drawing.resize(std::min(drawing.size(), most));
  if (drawing.size() < 2) return nullptr;
  // In any order.
  for (size_t i = drawing.size(); i > 1; --i) {
    std::swap(drawing[i - 1], drawing[Below(static_cast<int>(i))]);
  }
  Draw(drawing);
  return Pick(drawing);
}

// Some of the guesses right, and as many drawn as somebody may want.
Text* RandomOperations::DrawAsGuessed(Text& one) {
  Truth& truth = one.truth;
  const int most = std::min(kMostGuesses, truth.room() - 1);
  if (truth.pending < 0 || most < 1 || !one.session->ReserveGuesses()) {
    return nullptr;
  }
  std::vector<int> guesses = Ids(most);
  const auto clone = one.session->Clone();
  const int right = Below(static_cast<int>(guesses.size()) + 1);
  for (int i = 0; i < right; ++i) guesses[i] = std::max(clone->Next(), 0);
  const int wanted = UpTo(kMostGuesses + 1);
  EXPECT_TRUE(one.session->ReadGuesses(guesses.data(),
                                       static_cast<int>(guesses.size())));
  for (size_t i = 0;; ++i) {
    const int token = one.session->DrawGuess();
    truth.Draw(drawer_, one.session->logits());
    EXPECT_EQ(token, truth.pending);
    if (i + 1 == static_cast<size_t>(wanted) || i == guesses.size() ||
        token != guesses[i]) {
      break;
    }
  }
  one.session->EndGuesses();
  return &one;
}

Text* RandomOperations::Clone(Text& one) {
  if (texts_.size() == kMostTexts) return nullptr;
  texts_.push_back({.session = one.session->Clone(), .truth = one.truth});
  // A restriction's words are its caller's, to be written before each draw.
  texts_.back().truth.drawing.allowed.clear();
  return Below(2) == 0 ? &one : &texts_.back();
}

Text* RandomOperations::Mark(Text& one) {
  auto& places = one.truth.places;
  if (places.size() == kMostPlaces)
    places.erase(&Pick(places) - &places[0] + places.begin());
  const bool with_logits = one.truth.has_logits && Below(2) == 0;
  places.push_back(one.session->Mark(with_logits));
  EXPECT_EQ(places.back()->position, one.truth.position());
  return &one;
}

Text* RandomOperations::Rewind(Text& one) {
  auto& [ids, pending, has_logits, drawing, generator, places] = one.truth;
  if (places.empty()) return nullptr;
  const std::shared_ptr<const Checkpoint> place = Pick(places);
  one.session->Rewind(*place);
  ids.resize(place->position);
  pending = -1;
  has_logits = place->logits != nullptr;
  std::erase_if(places, [&](const auto& other) {
    return other->position > place->position;
  });
  return &one;
}

Text* RandomOperations::Save(Text& one) {
  Session& session = *one.session;
  saved_.emplace();
  saved_->generator = session.sampler().generator();
  saved_->truth = one.truth;
  saved_->truth.places.clear();
  const auto put = [](std::span<const float> from, std::vector<float>& to) {
    to.assign(from.begin(), from.end());
  };
  put(State(session), saved_->state);
  for (int i = 0; i < session.pages(); ++i) {
    put(Page(session, i), saved_->pages.emplace_back());
  }
  if (session.pending() < 0 && session.has_logits()) {
    put(LogitsOf(session), saved_->logits);
  }
  const std::span<const int> history = History(session);
  saved_->history.assign(history.begin(), history.end());
  return &one;
}

// Into another text where there is no room for one more.
Text* RandomOperations::Restore(Text& one) {
  if (!saved_) return nullptr;
  Text& to = texts_.size() < kMostTexts ? *Make(one) : one;
  Session& session = *to.session;
  to.truth = saved_->truth;
  to.truth.has_logits = !saved_->logits.empty();
  EXPECT_TRUE(session.Restore(to.truth.position(), to.truth.pending,
                              to.truth.has_logits));
  std::copy(saved_->state.begin(), saved_->state.end(), session.state());
  EXPECT_EQ(session.pages(), static_cast<int>(saved_->pages.size()));
  for (int i = 0; i < session.pages(); ++i) {
    std::copy(saved_->pages[i].begin(), saved_->pages[i].end(),
              session.page(i));
  }
  std::copy(saved_->logits.begin(), saved_->logits.end(), session.logits());
  session.sampler().SetHistory(static_cast<int>(saved_->history.size()),
                               saved_->history.data());
  session.sampler().Seed(saved_->generator);
  to.truth.drawing.Give(session.sampler());
  return &to;
}

Text* RandomOperations::Reset(Text& one) {
  one.session->Reset();
  Truth truth;
  truth.drawing = std::move(one.truth.drawing);
  truth.generator = one.truth.generator;
  one.truth = std::move(truth);
  return &one;
}

Text* RandomOperations::Configure(Text& one) {
  const SamplerOptions options[] = {
      {.temperature = 0},
      {.temperature = 0, .repetition_penalty = 2, .penalty_window = 8},
      {.temperature = 0.7f, .top_k = 20, .top_p = 0.9f},
      {.min_p = 0.02f, .frequency_penalty = 0.5f, .presence_penalty = 1},
      {},
  };
  Drawing& drawing = one.truth.drawing;
  drawing = {.options = Pick(options), .bias = {}, .allowed = {}};
  for (int i = Below(3); i > 0; --i) {
    const float bias = Below(2) == 0 ? -INFINITY : 2.0f;
    drawing.bias.emplace_back(Below(model_->vocab()), bias);
  }
  drawing.Give(one.session->sampler());
  if (Below(2) == 0) {
    one.truth.generator = random_.Bits();
    one.session->sampler().Seed(one.truth.generator);
  }
  return &one;
}

Text* RandomOperations::Restrict(Text& one) {
  std::vector<uint32_t>& allowed = one.truth.drawing.allowed;
  allowed.assign((model_->vocab() + 31) / 32, 0);
  for (int i = UpTo(40); i > 0; --i) {
    const int token = Below(model_->vocab());
    allowed[token / 32] |= uint32_t{1} << token % 32;
  }
  std::copy(allowed.begin(), allowed.end(), one.session->sampler().Restrict());
  return &one;
}

Text* RandomOperations::Destroy(Text& one) {
  if (texts_.size() == 1) return nullptr;
  texts_.erase(texts_.begin() + (&one - texts_.data()));
  return &Pick(texts_);
}

void RandomOperations::Look(Text& one) {
  Session& session = *one.session;
  const Truth& truth = one.truth;
  EXPECT_EQ(session.position(), truth.position());
  EXPECT_EQ(session.pending(), truth.pending);
  EXPECT_EQ(session.has_logits(), truth.has_logits);
  EXPECT_EQ(session.sampler().generator(), truth.generator);
  EXPECT_TRUE(std::ranges::equal(History(session), truth.ids));
}

void RandomOperations::Compare(Text& one) {
  const auto fresh = Session::Make(model_);
  Session& session = *one.session;
  Truth& truth = one.truth;
  Prefill(*fresh, truth.ids, true);
  EXPECT_TRUE(Same(State(session), State(*fresh)));
  ASSERT_EQ(session.pages(), fresh->pages());
  for (int i = 0; i < fresh->pages(); ++i) {
    EXPECT_TRUE(Same(Page(session, i), Page(*fresh, i))) << "page " << i;
  }
  if (truth.has_logits) {
    EXPECT_TRUE(Same(LogitsOf(session), LogitsOf(*fresh)));
  }
  if (truth.room() < 1) return;
  if (!truth.can_draw()) {
    const std::vector<int> id = Ids(1);
    Prefill(session, id, true);
    Prefill(*fresh, id, true);
    truth.Read(id, true);
  } else if (truth.pending >= 0) {
    Prefill(*fresh, {&truth.pending, 1}, true);
  }
  truth.drawing.Give(fresh->sampler());
  fresh->sampler().Seed(truth.generator);
  Text* const drawing[] = {&one};
  Draw(drawing);
  EXPECT_EQ(fresh->Next(), truth.pending);
  EXPECT_EQ(fresh->sampler().generator(), truth.generator);
  EXPECT_TRUE(Same(LogitsOf(session), LogitsOf(*fresh)));
}

void RandomOperations::Play() {
  using Self = RandomOperations;
  const std::pair<const char*, Operation> operations[] = {
      {"make", &Self::Make},
      {"read", &Self::Read},
      {"evaluate", &Self::Evaluate},
      {"draw alone", &Self::DrawAlone},
      {"draw together", &Self::DrawTogether},
      {"draw as guessed", &Self::DrawAsGuessed},
      {"undraw", &Self::Undraw},
      {"clone", &Self::Clone},
      {"mark", &Self::Mark},
      {"rewind", &Self::Rewind},
      {"save", &Self::Save},
      {"restore", &Self::Restore},
      {"reset", &Self::Reset},
      {"configure", &Self::Configure},
      {"restrict", &Self::Restrict},
      {"destroy", &Self::Destroy},
  };
  std::array<int, std::size(operations)> done = {};
  texts_.push_back({.session = Session::Make(model_), .truth = {}});
  for (int i = 0; i < kOperations; ++i) {
    SCOPED_TRACE(testing::Message() << "seed " << kSeed << ", operation " << i);
    int which;
    Text* touched;
    do {
      which = Below(std::size(operations));
      const auto& [name, operation] = operations[which];
      SCOPED_TRACE(name);
      touched = (this->*operation)(Pick(texts_));
    } while (touched == nullptr);
    ++done[which];
    SCOPED_TRACE(operations[which].first);
    for (Text& text : texts_) Look(text);
    if (i % kCompareEvery == 0) Compare(*touched);
    if (HasFailure()) return;
  }
  SCOPED_TRACE("at the end");
  for (Text& text : texts_) Compare(text);
  for (size_t i = 0; i < done.size(); ++i) {
    if (operations[i].second == &Self::DrawAsGuessed &&
        !model_->can_read_again()) {
      continue;
    }
    EXPECT_GT(done[i], kOperations / 100) << operations[i].first;
  }
  texts_.clear();
  EXPECT_EQ(model_.use_count(), 1);
}

TEST_P(RandomOperations, LeaveWhatTheirTextsSay) { Play(); }

INSTANTIATE_TEST_SUITE_P(All, RandomOperations,
                         testing::ValuesIn(kGoldenModels),
                         [](const auto& info) {
                           return std::string(info.param);
                         });

}  // namespace
}  // namespace fastweights
