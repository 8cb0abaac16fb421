// SPDX-License-Identifier: MIT
#include "runtime/trail.h"

#include <algorithm>

#include "base/check.h"
#include "runtime/session.h"

namespace fastweights {

size_t Session::TrailBytes(const Model& model, int steps) {
  size_t floats = model.state_floats() + model.vocab();
  // Without products to go by there are no steps.
  if (model.can_read_again()) {
    floats += steps * (model.undo_floats() + model.model_dim());
  }
  return sizeof(float) * floats;
}

std::shared_ptr<Trail> Session::LeaveTrail() {
  auto trail = std::make_shared<Trail>();
  trail->start = Mark(true);
  if (!trail->start) return nullptr;
  trail->step_bytes = TrailBytes(*model_, 1) - TrailBytes(*model_, 0);
  trail_ = model_->can_read_again() ? trail : nullptr;
  return trail;
}

void Session::EndTrail() { trail_ = nullptr; }

float* Session::NewStep(int token) {
  if (!trail_) return nullptr;
  auto floats = MakeBuffer<float>(model_->undo_floats() + model_->model_dim());
  if (!floats) {
    // It leads no further.
    trail_ = nullptr;
    return nullptr;
  }
  float* step = floats.get();
  trail_->steps.push_back({token, std::move(floats)});
  return step;
}

void Session::LeaveGuesses() {
  for (int row = 0; row < guessed_.drawn; ++row) {
    float* step = NewStep(guessed_.ids[row]);
    if (step == nullptr) return;
    for (const Block& block : model_->blocks()) {
      for (const PlacedMixer& placed : block.mixers) {
        const size_t floats = placed.mixer->UndoFloats();
        std::copy_n(undo_.get() + (kMostGuesses + 1) * placed.undo_offset +
                        row * floats,
                    floats, step + placed.undo_offset);
      }
    }
    const int dim = model_->model_dim();
    std::copy_n(hidden_.get() + row * dim, dim, step + model_->undo_floats());
  }
}

void Session::GoAlong(const Trail& trail, int tokens) {
  DCHECK(tokens <= static_cast<int>(trail.steps.size()));
  GoTo(*trail.start);
  for (int t = 0; t < tokens; ++t) {
    const Trail::Step& step = trail.steps[t];
    sampler_.Accept(step.token);
    ReadAgain({this, &step.token, 1, step.floats.get(), 1});
    ++position_;
  }
  DropPages();
  if (tokens == 0) return;
  is_traced_ = true;
  has_logits_ = true;
  Arena& arena = model_->workspace().arena();
  const ArenaScope scope(arena);
  float* hidden = arena.Take<float>(model_->model_dim());
  std::copy_n(trail.steps[tokens - 1].floats.get() + model_->undo_floats(),
              model_->model_dim(), hidden);
  model_->Head(1, hidden, logits_.get());
}

}  // namespace fastweights
