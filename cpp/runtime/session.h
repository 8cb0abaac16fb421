// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "runtime/guess_block.h"
#include "runtime/model.h"
#include "runtime/sampler.h"
#include "runtime/trail.h"

namespace fastweights {

// Tokens that one pass checks at most: with the one that was drawn eight rows.
inline constexpr int kMostGuesses = 7;

// One text being read and written: the constant state of every mixer in one
// arena, KV pages where the model has softmax layers, the position, the logits
// after the last token, and the sampler. Only the pages grow.
class Session {
 public:
  // Null: out of memory.
  static std::unique_ptr<Session> Make(std::shared_ptr<Model> model);
  // Another session that goes on from here, but for a restriction of its draws.
  // Null: out of memory.
  std::unique_ptr<Session> Clone() const;

  // Back to the empty text; gives the KV pages back.
  void Reset();

  // `with_logits`: where there are any. Null: out of memory.
  std::unique_ptr<Checkpoint> Mark(bool with_logits) const;
  // Back to a place that this text, or the one it was cloned from, has passed;
  // a token is to be read before one is drawn, unless the place has its logits.
  // Does not touch the generator.
  void Rewind(const Checkpoint& checkpoint);

  // Begins a trail here: Next and EndGuesses leave a step of each token that
  // they read, until it is ended or the text moves in another way. Of a model
  // whose texts cannot be taken back it has its start alone. Null: out of
  // memory.
  std::shared_ptr<Trail> LeaveTrail();
  void EndTrail();
  // Back to after so many tokens of a trail that this text, or the one it was
  // cloned from, has left; to be drawn from. Does not touch the generator.
  void GoAlong(const Trail& trail, int tokens);
  static size_t TrailBytes(const Model& model, int steps);

  // A text of so many tokens, one of which may be drawn and not read yet (-1:
  // none), whose state, pages, sampler and, where it has them, logits the
  // caller fills in. False: out of memory, the text is empty.
  bool Restore(int position, int pending, bool has_logits);
  float* state() const { return state_.get(); }  // [Model::state_floats()]
  // The pages that hold the text, [Model::page_floats()] each.
  int pages() const { return static_cast<int>(pages_.size()); }
  float* page(int i) const { return pages_[i].get(); }
  int pending() const { return pending_; }
  // Whether its logits are those after what it has read: zeros before a text.
  bool has_logits() const { return has_logits_; }
  // Takes back the token drawn last, where it has not been read: Next draws in
  // its place.
  void Undraw() { pending_ = -1; }
  const Model& model() const { return *model_; }

  // Reads ids [count], 1 to batch_tokens() of them, each below vocab. With
  // `want_logits` the logits after the last one are ready for Next. False: out
  // of memory for KV pages; the text is as before.
  bool Prefill(const int* ids, int count, bool want_logits);

  // Reads the token drawn before, if Prefill has not been called since, then
  // draws the next one. Or a NoToken; after kNoMemory nothing has changed.
  int Next();

  // Next() of each of 1 to logit_rows() sessions of one model, no two the same,
  // with one pass over the weights for all; what they return into tokens
  // [sessions]. Each draws what it would alone, to the bit.
  static void NextTogether(std::span<Session* const> sessions, int* tokens);

  // Room for Keep, which stays. False: out of memory.
  bool ReserveKept();
  // And what another one has kept, which has that room.
  bool CopyKept(const Session& other);
  // Keeps this place, for Return: the text is then as if nothing had been read
  // since, where that was no more than so many tokens. Neither touches the
  // sampler, and there are no logits after Return.
  void Keep(int tokens);
  void Return();

  // Room for ReadGuesses of up to kMostGuesses tokens, which stays. False: out
  // of memory, or the model's texts cannot be taken back.
  bool ReserveGuesses();
  // Reads the token drawn before and guesses [count] after it in one pass. Then
  // DrawGuess draws at each row in turn, as long as what it drew is the guess
  // read next and the caller wants more; then EndGuesses. What is drawn is to
  // the bit what Next would have drawn, and the text is as if the guesses that
  // were not drawn had never been read. Nothing else may happen to the model's
  // texts between the three. A bit of `decided` says that a restriction will
  // allow that guess alone: it is what is drawn there, without logits, which
  // only EndGuesses makes where they are the last. False: out of memory,
  // nothing has changed. A token has been drawn and not read; 1 <= count <=
  // kMostGuesses and below logit_rows() and batch_tokens().
  bool ReadGuesses(const int* guesses, int count, uint32_t decided = 0);
  // At least once and at most count + 1 times; as Next, but for kNoMemory.
  int DrawGuess();
  void EndGuesses();

  // Guesses of the tokens after the one that was drawn and is not read, by the
  // model's block for them, each the likeliest after those before it. Into
  // guesses [count]; returns how many there are, none where the model has no
  // such block. 1 <= count <= kMostGuesses.
  //   allowed  [words of vocab bits], what the first one may be; null: anything
  //   logits   [guess_block()->tokens()], those that it was chosen by; may be
  //            null
  int Guess(int count, const uint32_t* allowed, int* guesses,
            float* logits = nullptr);

  // Reads ids [count], 1 to logit_rows() of them; the logits after each [count,
  // vocab], good until the model's next pass. Null: out of memory.
  const float* Evaluate(const int* ids, int count);

  // Reads ids [count] and adds up -log p of each id from the second on, and of
  // `next` after the last (-1: there is none), in nats. Below zero: out of
  // memory; NaN: logits were not finite.
  double Score(const int* ids, int count, int next);

  // log sum exp of the logits, unmodified, that Next drew from: log p(token) is
  // its logit less this.
  double LogTotal() const;
  // The `count` most likely tokens of that distribution, best first; at least
  // one.
  void MostLikely(int count, int* tokens) const;

  // A head's state after what it has read, [key_dim, value_dim], of one of
  // Model::StateLayers().
  void ReadState(const PlacedMixer& placed, int head, float* out) const;
  // What the token read last did there, [heads, trace_floats]; null after a
  // place was come back to or filled in, until a token is read.
  const float* trace(const PlacedMixer& placed) const {
    return is_traced_ ? traces_.get() + placed.trace_offset : nullptr;
  }

  float* logits() const { return logits_.get(); }  // [vocab]
  Sampler& sampler() { return sampler_; }
  int position() const { return position_; }
  // The part of a session that does not grow: state, traces, logits, sampler.
  static size_t StateBytes(const Model& model);
  size_t kv_bytes() const;  // of the pages held now

 private:
  explicit Session(std::shared_ptr<Model> model) : model_(std::move(model)) {}
  // Room for so many more tokens. False: out of memory, nothing changed.
  bool ReservePages(int tokens);
  // Gives back what lies after the position; what stays of it is zeros, as all
  // of a page is saved.
  void DropPages();

  // What one text reads in a pass; its pages are reserved.
  struct Part {
    Session* session;
    const int* ids;  // [count]
    int count;
    float* undo = nullptr;  // [count, undo_floats()]; null: nobody goes back
    int undo_rows = kMostGuesses + 1;  // there is room for
    // Where the last block's output goes, [count, model_dim]; null: nowhere.
    float* hidden = nullptr;
    int wanted = 1;  // of the last tokens, whose output the caller wants
  };
  // Of a token that a pass of Next reads: with the next step of the trail.
  Part PartOf(const int* id) {
    float* step = NewStep(*id);
    float* hidden = step ? step + model_->undo_floats() : nullptr;
    return {this, id, 1, step, 1, hidden};
  }
  // Room for what a token leaves in the trail. Null: there is no trail, or no
  // memory.
  float* NewStep(int token);
  // Steps of what was drawn of the guesses.
  void LeaveGuesses();
  // Rewind, but for the pages.
  void GoTo(const Checkpoint& checkpoint);
  // Of a pass over the parts.
  static int RowsOf(std::span<const Part> parts);
  // Of those the ones whose output a pass makes: a block that guesses takes
  // more.
  static int WantedRows(const Model& model, const Part& part);
  // Runs the blocks over the parts' tokens, batch_tokens() of them at most;
  // returns the last block's output [WantedRows of each, model_dim], which lies
  // in the model's scratch.
  static float* Forward(Model& model, std::span<const Part> parts);
  // Forward, and each text's logits after its part.
  static void ReadToLogits(Model& model, std::span<const Part> parts);
  // Its next tokens, as a mixer takes them.
  Stretch StretchOf(const PlacedMixer& placed, const Part& part);
  // After a pass over more, with the constant state and the position of before
  // it: reads the first part.count of its tokens again.
  void ReadAgain(const Part& part);
  // What kept_tokens_ tokens at kept_position_ change of a constant state.
  void CopyChanged(const float* from, float* to) const;
  // Draws from the logits.
  int Draw();

  std::shared_ptr<Model> model_;
  Buffer<float> state_;
  Buffer<float> traces_;  // [Model::trace_floats()], written as it reads
  std::vector<Buffer<float>> pages_;
  std::vector<float*> page_table_;  // pages_, as the kernels read them
  Buffer<float> kept_;  // the constant state at kept_position_; null: no room
  int kept_position_ = 0;
  int kept_tokens_ = 0;   // that kept_ has what they change
  Buffer<float> undo_;    // [kMostGuesses + 1, undo_floats()]
  Buffer<float> hidden_;  // the last block's output, [kMostGuesses + 1, dim]
  std::shared_ptr<Trail> trail_;  // null: nobody follows
  struct {
    int ids[kMostGuesses + 1];  // the pending token and the guesses
    int rows;
    int drawn;  // of the rows
    // Of each row, in the model's scratch; null where it is decided.
    const float* logits[kMostGuesses + 1];  // [vocab]
  } guessed_;                               // of the last ReadGuesses
  GuessMemory guess_memory_;
  Buffer<float> logits_;
  Sampler sampler_;
  int position_ = 0;
  int pending_ = -1;  // drawn, not read yet
  bool has_logits_ = true;
  bool is_traced_ = false;  // whether traces_ are those of its last token
};

}  // namespace fastweights
