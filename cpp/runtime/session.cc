// SPDX-License-Identifier: MIT
#include "runtime/session.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/check.h"
#include "kernels/finite.h"

namespace fastweights {
namespace {

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
  session->traces_ = MakeBuffer<float>(m.trace_floats());
  session->logits_ = MakeBuffer<float>(m.vocab());
  if (!session->state_ || !session->traces_ || !session->logits_ ||
      !session->sampler_.Reserve(m.vocab()) ||
      (m.guess_block() && !session->guess_memory_.Reserve(m))) {
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
  if (is_traced_) {
    std::memcpy(copy->traces_.get(), traces_.get(),
                sizeof(float) * model_->trace_floats());
  }
  std::memcpy(copy->logits_.get(), logits_.get(),
              sizeof(float) * model_->vocab());
  for (size_t i = 0; i < copy->pages_.size(); ++i) {
    std::memcpy(copy->pages_[i].get(), pages_[i].get(),
                sizeof(float) * model_->page_floats());
  }
  copy->position_ = position_;
  copy->pending_ = pending_;
  copy->has_logits_ = has_logits_;
  copy->is_traced_ = is_traced_;
  return copy;
}

void Session::Reset() {
  std::fill_n(state_.get(), model_->state_floats(), 0.0f);
  std::fill_n(logits_.get(), model_->vocab(), 0.0f);
  pages_.clear();
  page_table_.clear();
  sampler_.Forget();
  guess_memory_.Forget();
  trail_ = nullptr;
  position_ = 0;
  pending_ = -1;
  has_logits_ = true;
  is_traced_ = false;
}

bool Session::ReservePages(int tokens) {
  if (model_->page_floats() == 0) return true;
  const size_t need = KvPageCount(position_ + tokens), held = pages_.size();
  while (pages_.size() < need) {
    Buffer<float> page = MakeBuffer<float>(model_->page_floats());
    if (!page) {
      pages_.resize(held);
      page_table_.resize(held);
      return false;
    }
    // As all of a page is saved.
    std::fill_n(page.get(), model_->page_floats(), 0.0f);
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
  const int held = position_ % kPageTokens;
  if (held == 0) return;
  for (const Block& block : model_->blocks()) {
    for (const PlacedMixer& placed : block.mixers) {
      placed.mixer->ClearKvPage(held, page_table_.back() + placed.page_offset);
    }
  }
}

std::unique_ptr<Checkpoint> Session::Mark(bool with_logits) const {
  auto checkpoint = std::make_unique<Checkpoint>();
  checkpoint->state = MakeBuffer<float>(model_->state_floats());
  if (!checkpoint->state) return nullptr;
  std::copy_n(state_.get(), model_->state_floats(), checkpoint->state.get());
  if (with_logits && has_logits_) {
    checkpoint->logits = MakeBuffer<float>(model_->vocab());
    if (!checkpoint->logits) return nullptr;
    std::copy_n(logits_.get(), model_->vocab(), checkpoint->logits.get());
  }
  std::vector<int> history(Sampler::kHistory);
  history.resize(sampler_.History(history.data()));
  checkpoint->history = std::move(history);
  checkpoint->position = position_;
  checkpoint->bytes =
      sizeof(float) *
      (model_->state_floats() + (checkpoint->logits ? model_->vocab() : 0));
  return checkpoint;
}

void Session::Rewind(const Checkpoint& checkpoint) {
  GoTo(checkpoint);
  DropPages();
}

void Session::GoTo(const Checkpoint& checkpoint) {
  DCHECK(checkpoint.position <= position_);
  std::copy_n(checkpoint.state.get(), model_->state_floats(), state_.get());
  has_logits_ = checkpoint.logits != nullptr;
  if (has_logits_) {
    std::copy_n(checkpoint.logits.get(), model_->vocab(), logits_.get());
  }
  sampler_.SetHistory(static_cast<int>(checkpoint.history.size()),
                      checkpoint.history.data());
  guess_memory_.Forget();
  position_ = checkpoint.position;
  pending_ = -1;
  is_traced_ = false;
  trail_ = nullptr;
}

bool Session::Restore(int position, int pending, bool has_logits) {
  Reset();
  if (!ReservePages(position)) {
    Reset();
    return false;
  }
  position_ = position;
  pending_ = pending;
  has_logits_ = has_logits;
  return true;
}

int Session::RowsOf(std::span<const Part> parts) {
  int rows = 0;
  for (const Part& part : parts) rows += part.count;
  return rows;
}

int Session::WantedRows(const Model& model, const Part& part) {
  const int taken = model.guess_block() ? kGuessWindow : 1;
  return std::min(part.count, std::max(part.wanted, taken));
}

float* Session::Forward(Model& model, std::span<const Part> parts) {
  Workspace& workspace = model.workspace();
  Arena& arena = workspace.arena();
  const int dim = model.model_dim();
  const int count = RowsOf(parts);
  DCHECK(count >= 1 && count <= model.batch_tokens());
  const size_t floats = static_cast<size_t>(count) * dim;
  float* x = arena.Take<float>(floats);
  {
    const ProfileScope scope(workspace.profile(), {"embedding"});
    float* row = x;
    for (const Part& part : parts) {
      for (int t = 0; t < part.count; ++t, row += dim) {
        model.Embed(part.ids[t], row);
        // What is only guessed is accepted once it is drawn.
        if (t == 0 || part.undo == nullptr) {
          part.session->sampler_.Accept(part.ids[t]);
        }
      }
    }
  }
  model.blocks().Run(
      count, static_cast<int>(parts.size()),
      [&](const PlacedMixer& placed, Stretch* stretches) {
        for (const Part& part : parts) {
          *stretches++ = part.session->StretchOf(placed, part);
        }
      },
      workspace, x);
  const float* rows = x;
  for (const Part& part : parts) {
    Session& session = *part.session;
    session.position_ += part.count;
    session.pending_ = -1;
    session.has_logits_ = false;
    session.is_traced_ = true;
    const int wanted = WantedRows(model, part);
    if (part.hidden != nullptr) {
      DCHECK(wanted == part.count);
      std::copy_n(rows, static_cast<size_t>(part.count) * dim, part.hidden);
    } else {
      session.trail_ = nullptr;
    }
    if (model.guess_block()) {
      session.guess_memory_.Add(wanted, part.ids + part.count - wanted, rows,
                                session.position_);
    }
    rows += static_cast<size_t>(wanted) * dim;
  }
  return x;
}

Stretch Session::StretchOf(const PlacedMixer& placed, const Part& part) {
  // A mixer's of all tokens lie together.
  float* undo =
      part.undo ? part.undo + part.undo_rows * placed.undo_offset : nullptr;
  return {.tokens = part.count,
          .position = position_,
          .wanted = WantedRows(*model_, part),
          .state = {.constant = state_.get() + placed.state_offset,
                    .cache = {.pages = page_table_.data(),
                              .offset = static_cast<int>(placed.page_offset)},
                    .trace = traces_.get() + placed.trace_offset,
                    .undo = undo}};
}

void Session::ReadState(const PlacedMixer& placed, int head, float* out) const {
  placed.mixer->ReadMatrix(head, position_, state_.get() + placed.state_offset,
                           out);
}

void Session::ReadToLogits(Model& model, std::span<const Part> parts) {
  const ArenaScope scope(model.workspace().arena());
  const size_t dim = model.model_dim(), vocab = model.vocab();
  const int texts = static_cast<int>(parts.size());
  const ChosenWays chosen(model.pass_choices(), RowsOf(parts),
                          model.workspace());
  float* hidden = Forward(model, parts);
  for (const Part& part : parts) part.session->has_logits_ = true;
  if (texts == 1) {
    model.Head(1, hidden + (WantedRows(model, parts[0]) - 1) * dim,
               parts[0].session->logits());
    return;
  }
  int row = -1;
  for (int i = 0; i < texts; ++i) {
    row += WantedRows(model, parts[i]);
    std::memmove(hidden + i * dim, hidden + row * dim, dim * sizeof(float));
  }
  float* logits = model.workspace().arena().Take<float>(texts * vocab);
  model.Head(texts, hidden, logits);
  for (int i = 0; i < texts; ++i) {
    std::memcpy(parts[i].session->logits(), logits + i * vocab,
                vocab * sizeof(float));
  }
}

bool Session::Prefill(const int* ids, int count, bool want_logits) {
  const ProfilePass pass(model_->workspace().profile(),
                         Profile::Phase::kPrefill);
  if (!ReservePages(count)) return false;
  const Part part = {this, ids, count};
  if (want_logits) {
    ReadToLogits(*model_, {&part, 1});
  } else {
    const ArenaScope scope(model_->workspace().arena());
    Forward(*model_, {&part, 1});
  }
  return true;
}

int Session::Next() {
  Session* self = this;
  int token;
  NextTogether({&self, 1}, &token);
  return token;
}

void Session::NextTogether(std::span<Session* const> sessions, int* tokens) {
  Model& model = *sessions[0]->model_;
  const int texts = static_cast<int>(sessions.size());
  DCHECK(texts <= model.logit_rows());
  const ProfilePass pass(model.workspace().profile(), Profile::Phase::kDecode);
  Part parts[kLogitRows];
  int reading = 0;
  for (int i = 0; i < texts; ++i) {
    Session* session = sessions[i];
    DCHECK(session->model_.get() == &model);
    tokens[i] = std::max(session->pending_, 0);
    if (session->pending_ < 0) continue;
    if (session->ReservePages(1)) {
      parts[reading++] = session->PartOf(&tokens[i]);
    } else {
      tokens[i] = kNoMemory;
    }
  }
  if (reading > 0) ReadToLogits(model, {parts, static_cast<size_t>(reading)});
  const ProfileScope scope(model.workspace().profile(), {"sampler"});
  for (int i = 0; i < texts; ++i) {
    if (tokens[i] != kNoMemory) tokens[i] = sessions[i]->Draw();
  }
}

int Session::Draw() {
  if (!has_logits_) return kNoLogits;
  if (!AllFinite(model_->vocab(), logits_.get())) return kNotFinite;
  const int token = sampler_.Sample(logits_.get());
  pending_ = std::max(token, -1);
  return token;
}

const float* Session::Evaluate(const int* ids, int count) {
  const ProfilePass pass(model_->workspace().profile(),
                         Profile::Phase::kPrefill);
  DCHECK(count <= model_->logit_rows());
  if (!ReservePages(count)) return nullptr;
  Arena& arena = model_->workspace().arena();
  const ArenaScope scope(arena);
  const Part part = {
      .session = this, .ids = ids, .count = count, .wanted = count};
  float* hidden = Forward(*model_, {&part, 1});
  float* logits =
      arena.Take<float>(static_cast<size_t>(count) * model_->vocab());
  model_->Head(count, hidden, logits);
  return logits;
}

double Session::Score(const int* ids, int count, int next) {
  double nll = 0;
  const int most = model_->logit_rows();
  for (int start = 0; start < count; start += most) {
    const int part = std::min(most, count - start);
    const float* logits = Evaluate(ids + start, part);
    if (logits == nullptr) return -1;
    for (int i = 0; i < part; ++i, logits += model_->vocab()) {
      const int target = start + i + 1 < count ? ids[start + i + 1] : next;
      if (target < 0) continue;
      nll += LogSumExp(model_->vocab(), logits) - logits[target];
    }
  }
  return nll;
}

double Session::LogTotal() const {
  return LogSumExp(model_->vocab(), logits_.get());
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
  return sizeof(float) *
             (model.state_floats() + model.trace_floats() + model.vocab()) +
         (model.guess_block() ? GuessMemory::Bytes(model) : 0) +
         Sampler::Bytes(model.vocab());
}

size_t Session::kv_bytes() const {
  return pages_.size() * model_->page_floats() * sizeof(float);
}

}  // namespace fastweights
