// SPDX-License-Identifier: MIT
#include "runtime/session.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/check.h"
#include "kernels/activations.h"
#include "kernels/rms_norm.h"

namespace fastweights {
namespace {

// Tokens of one task between the products.
constexpr int kTaskTokens = 32;

double LogSumExp(int count, const float* x) {
  const float top = *std::max_element(x, x + count);
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += std::exp(x[i] - top);
  return top + std::log(sum);
}

}  // namespace

std::unique_ptr<Session> Session::Make(std::shared_ptr<Model> model) {
  std::unique_ptr<Session> session(new Session(std::move(model)));
  const Model& m = *session->model_;
  session->state_ = MakeBuffer<float>(m.state_floats());
  session->logits_ = MakeBuffer<float>(m.vocab());
  if (!session->state_ || !session->logits_ ||
      !session->sampler_.Reserve(m.vocab())) {
    return nullptr;
  }
  session->Reset();
  return session;
}

std::unique_ptr<Session> Session::Clone() const {
  std::unique_ptr<Session> copy = Make(model_);
  if (!copy || !copy->sampler_.CopyFrom(sampler_)) return nullptr;
  if (!copy->ReservePages(position_)) return nullptr;
  std::memcpy(copy->state_.get(), state_.get(),
              sizeof(float) * model_->state_floats());
  std::memcpy(copy->logits_.get(), logits_.get(),
              sizeof(float) * model_->vocab());
  for (size_t i = 0; i < copy->pages_.size(); ++i) {
    std::memcpy(copy->pages_[i].get(), pages_[i].get(),
                sizeof(float) * model_->page_floats());
  }
  copy->position_ = position_;
  copy->pending_ = pending_;
  return copy;
}

void Session::Reset() {
  std::fill_n(state_.get(), model_->state_floats(), 0.0f);
  std::fill_n(logits_.get(), model_->vocab(), 0.0f);
  pages_.clear();
  page_table_.clear();
  sampler_.Forget();
  position_ = 0;
  pending_ = -1;
}

bool Session::ReservePages(int tokens) {
  if (model_->page_floats() == 0) return true;
  const size_t need = KvPageCount(position_ + tokens);
  while (pages_.size() < need) {
    Buffer<float> page = MakeBuffer<float>(model_->page_floats());
    if (!page) return false;
    page_table_.push_back(page.get());
    pages_.push_back(std::move(page));
  }
  return true;
}

void Session::DropPages() {
  if (model_->page_floats() == 0) return;
  const size_t need = KvPageCount(position_);
  pages_.resize(std::min(pages_.size(), need));
  page_table_.resize(pages_.size());
}

std::unique_ptr<Checkpoint> Session::Mark() const {
  auto checkpoint = std::make_unique<Checkpoint>();
  checkpoint->state = MakeBuffer<float>(model_->state_floats());
  if (!checkpoint->state) return nullptr;
  std::memcpy(checkpoint->state.get(), state_.get(),
              sizeof(float) * model_->state_floats());
  std::vector<int> history(Sampler::kHistory);
  history.resize(sampler_.History(history.data()));
  checkpoint->history = std::move(history);
  checkpoint->position = position_;
  return checkpoint;
}

void Session::Rewind(const Checkpoint& checkpoint) {
  DCHECK(checkpoint.position <= position_);
  std::memcpy(state_.get(), checkpoint.state.get(),
              sizeof(float) * model_->state_floats());
  sampler_.SetHistory(static_cast<int>(checkpoint.history.size()),
                      checkpoint.history.data());
  position_ = checkpoint.position;
  pending_ = -1;
  DropPages();
}

bool Session::Restore(int position, int pending) {
  Reset();
  if (!ReservePages(position)) {
    Reset();
    return false;
  }
  position_ = position;
  pending_ = pending;
  return true;
}

float* Session::Forward(const int* ids, int count) {
  DCHECK(count >= 1 && count <= model_->batch_tokens());
  Workspace& workspace = model_->workspace();
  Arena& arena = workspace.arena();
  const int dim = model_->model_dim();
  const size_t floats = static_cast<size_t>(count) * dim;
  float* x = arena.Take<float>(floats);
  // The input of each mixer and feed-forward, which their output replaces.
  float* y = arena.Take<float>(floats);
  {
    const ProfileScope scope(profile(), {"embedding"});
    for (int t = 0; t < count; ++t) {
      model_->Embed(ids[t], x + static_cast<size_t>(t) * dim);
      sampler_.Accept(ids[t]);
    }
  }
  const auto for_tokens = [&](auto&& body) {
    ForRanges(workspace.threads(), count, kTaskTokens,
              [&](int from, int to) { body(from * dim, to - from); });
  };
  bool is_first = true;
  const auto normalise = [&](const Values& weight) {
    const ProfileScope scope(profile(), {"residual and norm"});
    for_tokens([&](size_t at, int rows) {
      if (is_first) {
        RmsNorm(rows, dim, x + at, dim, weight.data(), model_->norm_epsilon(),
                y + at, dim);
      } else {
        AddRmsNorm(rows, dim, x + at, weight.data(), model_->norm_epsilon(),
                   y + at);
      }
    });
    is_first = false;
  };
  for (const Layer& layer : model_->layers()) {
    const LayerState state = {
        .constant = state_.get() + layer.state_offset,
        .cache = {.pages = page_table_.data(),
                  .offset = static_cast<int>(layer.page_offset)}};
    normalise(*layer.mixer_norm);
    {
      const ArenaScope scope(arena);
      ProductInput input(count, dim, y, workspace);
      layer.mixer->Forward(position_, input, state, y);
    }
    normalise(*layer.feed_forward_norm);
    {
      const ArenaScope scope(arena);
      layer.feed_forward->Forward(count, y, workspace);
    }
  }
  {
    const ProfileScope scope(profile(), {"residual and norm"});
    for_tokens([&](size_t at, int rows) {
      AddTo(static_cast<size_t>(rows) * dim, y + at, x + at);
    });
  }
  position_ += count;
  return x;
}

void Session::Head(int rows, float* hidden, float* logits) {
  const int dim = model_->model_dim();
  {
    const ProfileScope scope(profile(), {"residual and norm"});
    RmsNorm(rows, dim, hidden, dim, model_->output_norm().data(),
            model_->norm_epsilon(), hidden, dim);
  }
  const ArenaScope scope(model_->workspace().arena());
  ProductInput input(rows, dim, hidden, model_->workspace());
  model_->head().Multiply(input, logits, model_->vocab());
}

bool Session::Prefill(const int* ids, int count, bool want_logits) {
  const ProfilePass pass(profile(), Profile::Phase::kPrefill);
  return Read(ids, count, want_logits);
}

bool Session::Read(const int* ids, int count, bool want_logits) {
  if (!ReservePages(count)) return false;
  const ArenaScope scope(model_->workspace().arena());
  float* hidden = Forward(ids, count);
  if (want_logits) {
    Head(1, hidden + static_cast<size_t>(count - 1) * model_->model_dim(),
         logits_.get());
  }
  pending_ = -1;
  return true;
}

int Session::Next() {
  const ProfilePass pass(profile(), Profile::Phase::kDecode);
  if (pending_ >= 0 && !Read(&pending_, 1, true)) return -1;
  const ProfileScope scope(profile(), {"sampler"});
  pending_ = sampler_.Sample(logits_.get());
  return pending_;
}

const float* Session::Evaluate(const int* ids, int count) {
  const int most = model_->evaluation_tokens();
  DCHECK(count <= most);
  const ProfilePass pass(profile(), Profile::Phase::kPrefill);
  if (!evaluation_) {
    evaluation_ =
        MakeBuffer<float>(static_cast<size_t>(most) * model_->vocab());
  }
  if (!evaluation_ || !ReservePages(count)) return nullptr;
  const ArenaScope scope(model_->workspace().arena());
  Head(count, Forward(ids, count), evaluation_.get());
  pending_ = -1;
  return evaluation_.get();
}

double Session::Score(const int* ids, int count, int next) {
  double nll = 0;
  const int most = model_->evaluation_tokens();
  for (int start = 0; start < count; start += most) {
    const int part = std::min(most, count - start);
    const float* logits = Evaluate(ids + start, part);
    if (logits == nullptr) return NAN;
    for (int i = 0; i < part; ++i, logits += model_->vocab()) {
      const int target = start + i + 1 < count ? ids[start + i + 1] : next;
      if (target < 0) continue;
      nll += LogSumExp(model_->vocab(), logits) - logits[target];
    }
  }
  return nll;
}

double Session::LogProbability(int token) const {
  return logits_[token] - LogSumExp(model_->vocab(), logits_.get());
}

void Session::MostLikely(int count, int* tokens) const {
  DCHECK(count >= 1);
  int kept = 0;
  for (int token = 0; token < model_->vocab(); ++token) {
    const float logit = logits_[token];
    if (kept == count && !(logit > logits_[tokens[kept - 1]])) continue;
    int at = kept < count ? kept++ : kept - 1;
    for (; at > 0 && logits_[tokens[at - 1]] < logit; --at) {
      tokens[at] = tokens[at - 1];
    }
    tokens[at] = token;
  }
}

size_t Session::StateBytes(const Model& model) {
  return sizeof(float) * (model.state_floats() + model.vocab()) +
         Sampler::Bytes(model.vocab());
}

size_t Session::kv_bytes() const {
  return pages_.size() * model_->page_floats() * sizeof(float);
}

}  // namespace fastweights
