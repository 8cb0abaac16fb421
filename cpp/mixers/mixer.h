// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>
#include <memory>
#include <span>
#include <string>

#include "base/arena.h"
#include "base/plan.h"
#include "formats/product_input.h"
#include "formats/weights.h"
#include "kernels/linear_recurrence/linear_recurrence.h"
#include "kernels/linear_recurrence/trace.h"
#include "kernels/softmax_attention/softmax_attention.h"

namespace fastweights {

// One mixer's share of a session's memory.
struct MixerState {
  float* constant;  // [StateFloats()], zeros at the start of a text
  KvPages cache;    // with room for position + tokens
  // [StateMatrices::heads, trace_floats], left there by Forward.
  float* trace = nullptr;  // null: nobody looks
  // [tokens, UndoFloats()], left there by Forward.
  float* undo = nullptr;  // null: nobody goes back
};

// Constant state that is a matrix for each head, for whoever looks at it.
struct StateMatrices {
  int heads = 0;  // none: the mixer has no such state
  int key_dim = 0;
  int value_dim = 0;
  // Of a RecurrenceTrace; a mixer without one has trace_floats 0.
  Decay decay = Decay::kNone;
  Erase erase = Erase::kNone;
  int trace_floats = 0;
};

inline StateMatrices MatricesOf(const LinearRecurrenceShape& shape) {
  return {.heads = shape.heads,
          .key_dim = shape.key_dim,
          .value_dim = shape.value_dim,
          .decay = shape.decay,
          .erase = shape.erase,
          .trace_floats = RecurrenceTraceFloats(shape)};
}

// Consecutive rows of a batch: the next tokens of one text.
struct Stretch {
  int tokens;
  int position;  // of the first
  int wanted;    // of the last ones, so many outputs are wanted: at least one
  MixerState state;
};

// Copies of rows [tokens of all texts, floats] those whose output is wanted to
// `to`, which may be `rows`, one behind the other; returns how many.
inline int CopyWanted(std::span<const Stretch> texts, size_t floats,
                      const float* rows, float* to) {
  int wanted = 0;
  for (const Stretch& text : texts) {
    rows += (text.tokens - text.wanted) * floats;
    if (rows != to) std::memmove(to, rows, text.wanted * floats * sizeof(*to));
    rows += text.wanted * floats;
    to += text.wanted * floats;
    wanted += text.wanted;
  }
  return wanted;
}

inline bool AreAllWanted(std::span<const Stretch> texts) {
  return std::ranges::all_of(
      texts, [](const Stretch& text) { return text.wanted == text.tokens; });
}

// Of x leaves the rows whose output is wanted, for the products that nothing
// else needs; where they are not all of them, they take the place of out
// [wanted, model_dim], which may be x's values.
inline void LeaveWanted(std::span<const Stretch> texts, ProductInput& x,
                        float* out) {
  if (AreAllWanted(texts)) return;
  x.Replace(CopyWanted(texts, x.columns(), x.values(), out), out);
}

// Products of all rows of x, but for the last one, which is of the rows that
// are left by LeaveWanted, as x then is.
inline void MultiplyAndLeave(std::span<const MatrixProduct> products,
                             std::span<const Stretch> texts, ProductInput& x,
                             float* out) {
  if (AreAllWanted(texts)) return MultiplyTogether(products, x);
  MultiplyTogether(products.first(products.size() - 1), x);
  LeaveWanted(texts, x, out);
  MultiplyTogether(products.last(1), x);
}

// Tokens [from, from + count) of a text, in a loop over parts of it: how many
// of the first ones' outputs are not wanted, and how many wanted ones are
// before the others.
struct WantedPart {
  WantedPart(const Stretch& text, int from, int count)
      : skipped(std::clamp(text.tokens - text.wanted - from, 0, count)),
        before(std::max(from - (text.tokens - text.wanted), 0)) {}

  int skipped;
  int before;
};

// ReadMatrix of a state that the chunk form of the recurrence keeps.
inline void ReadRecurrence(const LinearRecurrenceShape& shape, int head,
                           int position, float* constant, float* out) {
  LinearRecurrenceArgs args = {};
  args.state = constant;
  args.state_stride = ChunkStateFloats(shape);
  LinearRecurrenceState(position, shape, args, head, out);
}

// CopyChanged of such a state, at the start of `floats` floats that all change:
// only where a chunk ends is more of it written than what is pending.
inline void CopyChangedRecurrence(const LinearRecurrenceShape& shape,
                                  int position, int tokens, size_t floats,
                                  const float* from, float* to) {
  const size_t head_floats = ChunkStateFloats(shape);
  const bool ends = position % kChunkTokens + tokens >= kChunkTokens;
  const size_t same = ends ? 0 : shape.key_dim * shape.value_dim;
  for (int h = 0; h < shape.heads; ++h) {
    const size_t at = h * head_floats + same;
    std::copy_n(from + at, head_floats - same, to + at);
  }
  const size_t end = shape.heads * head_floats;
  std::copy_n(from + end, floats - end, to + end);
}

// Where something of each token is in what a mixer leaves for ReadAgain.
struct UndoPart {
  int floats;      // of it
  int offset = 0;  // into the token's
  int stride = 0;  // UndoFloats(); 0: floats, as there is nothing else
};

// Copies rows [tokens of all texts, floats] there, for texts that may be taken
// back.
inline void KeepForUndo(std::span<const Stretch> texts, const UndoPart& part,
                        const float* rows) {
  for (const Stretch& text : texts) {
    float* to = text.state.undo;
    for (int t = 0; t < text.tokens; ++t, rows += part.floats) {
      if (to == nullptr) continue;
      std::copy_n(rows, part.floats, to + part.offset);
      to += part.stride ? part.stride : part.floats;
    }
  }
}

// And back into rows [text.tokens, floats].
inline void TakeFromUndo(const Stretch& text, const UndoPart& part,
                         float* rows) {
  const float* from = text.state.undo;
  for (int t = 0; t < text.tokens; ++t, rows += part.floats) {
    std::copy_n(from + part.offset, part.floats, rows);
    from += part.stride ? part.stride : part.floats;
  }
}

// A forward pass, as a mixer takes part in it.
struct Pass {
  std::span<const Stretch> texts;  // one after the other, no two of the same
  // What mixers leave for later ones: of each token carried_stride floats, as
  // many as the mixer that leaves most.
  float* carried;
  int carried_stride;
};

// Of a mixer whose outputs depend on all tokens before.
inline constexpr int kReachesAll = std::numeric_limits<int>::max();

// A part of a residual block: projections, convolution, gates, a kernel, norm
// and output of one way to mix tokens, or a feed-forward, which mixes channels.
// Weights are fixed once loaded; all that a text leaves behind is in the
// MixerState.
class Mixer {
 public:
  virtual ~Mixer() = default;

  // Floats of state that do not depend on the length of the text.
  virtual size_t StateFloats() const { return 0; }
  // Floats that each page of kPageTokens tokens adds.
  virtual size_t KvPageFloats() const { return 0; }
  // How many tokens before it a token's output depends on, and what it leaves
  // behind likewise.
  virtual int Reach() const { return kReachesAll; }
  // Zeros in such a page for its positions from `first` on.
  virtual void ClearKvPage(int /*first*/, float* /*page*/) const {}
  // Floats of each token that later mixers of its pass read.
  virtual int CarriedFloats() const { return 0; }
  // What of that state is matrices, in order of their heads.
  virtual StateMatrices Matrices() const { return {}; }
  // That of a head [key_dim, value_dim] from the state of a text of `position`
  // tokens.
  virtual void ReadMatrix(int /*head*/, int /*position*/, float* /*constant*/,
                          float* /*out*/) const {}
  // Copies of a constant state what reading so many tokens at a position
  // changes, or more.
  virtual void CopyChanged(int /*position*/, int /*tokens*/, const float* from,
                           float* to) const {
    std::copy_n(from, StateFloats(), to);
  }
  // Floats that Forward leaves of each token, by which a text can be taken back
  // to one within its last pass; a mixer with state and without these cannot.
  virtual int UndoFloats() const { return 0; }
  // Makes a constant state that is what it was before the pass what it was
  // after the first text.tokens of it, without a product. Scratch, no more than
  // Forward's, comes from the workspace.
  virtual void ReadAgain(const Stretch& /*text*/, Workspace&) const {}
  virtual size_t ScratchBytes(int tokens) const = 0;
  // What a task of Forward takes of its thread's arena, beside the products.
  virtual size_t ThreadScratchBytes() const { return 0; }

  // out [wanted rows, model_dim] from x [tokens, model_dim]; out may be x's
  // values. Scratch comes from x's workspace.
  virtual void Forward(const Pass& pass, ProductInput& x, float* out) = 0;
};

// The mixer that a plan names; check weights.error() before using it. Null if
// mixers.inc has no such key.
std::unique_ptr<Mixer> MakeMixer(int model_dim, const MixerPlan& plan,
                                 Weights& weights);

}  // namespace fastweights
