// SPDX-License-Identifier: MIT
#include "runtime/draft.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "kernels/softmax.h"

namespace fastweights {

std::unique_ptr<Draft> Draft::Make(std::shared_ptr<Model> model, int tokens) {
  std::unique_ptr<Draft> draft(new Draft(std::min(tokens, model->vocab())));
  draft->session_ = Session::Make(std::move(model));
  if (!draft->session_ || !draft->session_->ReserveKept()) return nullptr;
  return draft;
}

std::unique_ptr<Draft> Draft::Clone() const {
  std::unique_ptr<Draft> copy(new Draft(tokens_));
  copy->session_ = session_->Clone();
  if (!copy->session_ || !copy->session_->CopyKept(*session_)) return nullptr;
  std::copy_n(guessed_, ahead_, copy->guessed_);
  copy->ahead_ = ahead_;
  return copy;
}

void Draft::Rewind(const Checkpoint& place) {
  session_->Rewind(place);
  ahead_ = 0;
}

void Draft::Reset() {
  session_->Reset();
  ahead_ = 0;
}

bool Draft::Follow(const int* ids, int count, bool want_logits) {
  int read = ahead_;
  if (count < read || !std::equal(ids, ids + read, guessed_)) {
    session_->Return();
    read = 0;
  }
  ahead_ = 0;
  return count == read ||
         session_->Prefill(ids + read, count - read, want_logits);
}

int Draft::Guess(const int* ids, int count, int most, float least,
                 const uint32_t* allowed, int* guesses) {
  DCHECK(most >= 1 && most <= kMostGuesses);
  if (!Follow(ids, count, true)) return -1;
  float likely = 1;
  for (int i = 0;; ++i) {
    float probability;
    guesses[i] = Likeliest(i == 0 ? allowed : nullptr, &probability);
    likely *= probability;
    if (guesses[i] < 0 || !(likely >= least)) return i;
    if (i + 1 == most) return most;
    if (i == 0) session_->Keep(most - 1);
    guessed_[i] = guesses[i];
    if (!session_->Prefill(guesses + i, 1, true)) return i + 1;
    ahead_ = i + 1;
  }
}

int Draft::Likeliest(const uint32_t* allowed, float* probability) const {
  const float* logits = session_->logits();
  if (allowed == nullptr) {
    const float* best = std::max_element(logits, logits + tokens_);
    *probability = 1 / SumExp(tokens_, *best, logits);
    return static_cast<int>(best - logits);
  }
  int best = -1;
  const auto may = [&](int i) { return (allowed[i / 32] >> i % 32 & 1) != 0; };
  for (int i = 0; i < tokens_; ++i) {
    if (may(i) && (best < 0 || logits[i] > logits[best])) best = i;
  }
  float sum = 0;
  for (int i = 0; best >= 0 && i < tokens_; ++i) {
    if (may(i)) sum += std::exp(logits[i] - logits[best]);
  }
  *probability = 1 / sum;
  return best;
}

size_t Draft::StateBytes(const Model& model) {
  return Session::StateBytes(model) + sizeof(float) * model.state_floats();
}

}  // namespace fastweights
