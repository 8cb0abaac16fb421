// SPDX-License-Identifier: MIT

// Operations on a few sessions of one model, as the input says: whatever comes
// before, a session is what reading its text in one go makes.

#include "runtime/session.h"

#include <fuzzer/FuzzedDataProvider.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/result.h"
#include "fuzz/golden_bytes.h"
#include "runtime/model.h"
#include "runtime/model_builder.h"
#include "runtime/sampler.h"
#include "runtime/session_truth.h"

namespace fastweights {
namespace {

constexpr size_t kMostTexts = 4;
constexpr size_t kMostPlaces = 3;

std::shared_ptr<Model> MakeGolden(int index) {
  const GgufFile& file = GoldenGguf(index);
  ModelBuilder builder;
  builder.config() = file.config();
  for (const auto& tensor : file.tensors()) builder.AddTensor(tensor.shape);
  CHECK(!builder.Plan() && !builder.Reserve());
  for (size_t i = 0; i < file.tensors().size(); ++i) {
    const int which = static_cast<int>(i);
    if (!builder.Wants(which)) continue;
    const auto& [shape, bytes] = file.tensors()[i];
    std::memcpy(builder.staging(), bytes, builder.RowBytes(which) * shape.rows);
    CHECK(!builder.Append(which, shape.rows));
  }
  Result<std::shared_ptr<Model>> model = builder.Finish();
  CHECK(model.ok());
  return model.value();
}

const std::shared_ptr<Model>& GoldenModel(int index) {
  static std::shared_ptr<Model> models[kGoldenCount];
  if (!models[index]) models[index] = MakeGolden(index);
  return models[index];
}

class Operations {
 public:
  explicit Operations(FuzzedDataProvider& input)
      : input_(input), model_(GoldenModel(Below(kGoldenCount))) {
    texts_.reserve(kMostTexts);
    texts_.push_back({.session = Session::Make(model_), .truth = {}});
  }

  void Play() {
    for (int i = 0; i < 16 && input_.remaining_bytes() > 0; ++i) {
      Step(texts_[Below(texts_.size())]);
      for (const Text& text : texts_) Look(text);
    }
    Compare(texts_[Below(texts_.size())]);
  }

 private:
  int Below(size_t count) {
    return static_cast<int>(
        input_.ConsumeIntegralInRange<size_t>(0, count - 1));
  }
  std::vector<int> Ids(int most) {
    std::vector<int> ids(1 + Below(most));
    for (int& id : ids) id = Below(model_->vocab());
    return ids;
  }

  void Step(Text& text) {
    Session& session = *text.session;
    Truth& truth = text.truth;
    switch (Below(12)) {
      case 0:
      case 1:
        return Read(text, 6);
      case 2:  // seldom over the border of a page: that takes long
        return Read(text, Below(8) == 7 ? 70 : 2);
      case 3:
        return Draw(text);
      case 4:
        return DrawTogether();
      case 5:
        if (texts_.size() == kMostTexts) return;
        texts_.push_back({.session = session.Clone(), .truth = truth});
        return;
      case 6: {
        if (truth.places.size() == kMostPlaces) truth.places.clear();
        truth.places.push_back(session.Mark(input_.ConsumeBool()));
        CHECK(truth.places.back()->position == truth.position());
        return;
      }
      case 7:
        return Rewind(text);
      case 8:
        return SaveAndRestore(text);
      case 9: {
        session.Reset();
        const uint64_t generator = truth.generator;
        truth = {};
        truth.generator = generator;
        return;
      }
      case 10:
        session.Undraw();
        truth.pending = -1;
        return;
      default:
        return Evaluate(text);
    }
  }

  void Read(Text& text, int most) {
    if (text.truth.room() <= 0) return;
    const std::vector<int> ids = Ids(std::min(most, text.truth.room()));
    const bool wants_logits = input_.ConsumeBool();
    CHECK(text.session->Prefill(ids.data(), static_cast<int>(ids.size()),
                                wants_logits));
    text.truth.Read(ids, wants_logits);
  }

  void Evaluate(Text& text) {
    if (text.truth.room() <= 0) return;
    const std::vector<int> ids = Ids(std::min(3, text.truth.room()));
    const auto count = static_cast<int>(ids.size());
    CHECK(text.session->Evaluate(ids.data(), count) != nullptr);
    text.truth.Read(ids, false);
  }

  void Drew(Truth& truth, int token) {
    if (truth.pending >= 0) truth.Read({&truth.pending, 1}, true);
    CHECK(token >= 0 && token < model_->vocab());
    truth.pending = token;
  }
  void Draw(Text& text) {
    if (!text.truth.can_draw()) {
      if (text.truth.pending < 0) CHECK(text.session->Next() == kNoLogits);
      return;
    }
    Drew(text.truth, text.session->Next());
  }
  void DrawTogether() {
    std::vector<Session*> sessions;
    std::vector<Text*> drawing;
    for (Text& text : texts_) {
      if (!text.truth.can_draw() || input_.ConsumeBool()) continue;
      sessions.push_back(text.session.get());
      drawing.push_back(&text);
    }
    if (drawing.empty()) return;
    std::vector<int> tokens(drawing.size());
    Session::NextTogether(sessions, tokens.data());
    for (size_t i = 0; i < drawing.size(); ++i) {
      Drew(drawing[i]->truth, tokens[i]);
    }
  }

  void Rewind(Text& text) {
    auto& [ids, pending, has_logits, drawing, generator, places] = text.truth;
    if (places.empty()) return;
    const std::shared_ptr<const Checkpoint> place =
        places[Below(places.size())];
    text.session->Rewind(*place);
    ids.resize(place->position);
    pending = -1;
    has_logits = place->logits != nullptr;
    std::erase_if(places, [&](const auto& other) {
      return other->position > place->position;
    });
  }

  // As a saved session comes back: into one that has read another text.
  void SaveAndRestore(Text& text) {
    Session& from = *text.session;
    auto to = Session::Make(model_);
    const std::vector<int> other = Ids(3);
    CHECK(to->Prefill(other.data(), static_cast<int>(other.size()), true));
    CHECK(to->Restore(from.position(), from.pending(), from.has_logits()));
    std::copy_n(from.state(), model_->state_floats(), to->state());
    CHECK(to->pages() == from.pages());
    for (int i = 0; i < from.pages(); ++i) {
      std::copy_n(from.page(i), model_->page_floats(), to->page(i));
    }
    std::copy_n(from.logits(), model_->vocab(), to->logits());
    int history[Sampler::kHistory];
    to->sampler().SetHistory(from.sampler().History(history), history);
    to->sampler().Seed(from.sampler().generator());
    text.session = std::move(to);
    text.truth.places.clear();
  }

  void Look(const Text& text) {
    const Session& session = *text.session;
    CHECK(session.position() == text.truth.position());
    CHECK(session.pending() == text.truth.pending);
    CHECK(session.has_logits() == text.truth.has_logits);
  }

  void Compare(const Text& text) {
    const std::vector<int>& ids = text.truth.ids;
    const Session& session = *text.session;
    const auto fresh = Session::Make(model_);
    if (!ids.empty()) {
      CHECK(fresh->Prefill(ids.data(), static_cast<int>(ids.size()), true));
    }
    const auto same = [](const float* a, const float* b, size_t count) {
      return std::memcmp(a, b, count * sizeof(float)) == 0;
    };
    CHECK(same(session.state(), fresh->state(), model_->state_floats()));
    CHECK(session.pages() == fresh->pages());
    for (int i = 0; i < fresh->pages(); ++i) {
      CHECK(same(session.page(i), fresh->page(i), model_->page_floats()));
    }
    if (!text.truth.has_logits) return;
    CHECK(same(session.logits(), fresh->logits(), model_->vocab()));
  }

  FuzzedDataProvider& input_;
  std::shared_ptr<Model> model_;
  std::vector<Text> texts_;
};

}  // namespace
}  // namespace fastweights

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  FuzzedDataProvider input(bytes, size);
  fastweights::Operations(input).Play();
  return 0;
}
