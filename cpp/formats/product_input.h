// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/workspace.h"
#include "formats/xnnpack.h"
#include "kernels/pair_sums.h"

namespace fastweights {

// Columns that share one scale when activations are quantised: the fewest, and
// the most (InputGroup in tile_layout.h).
inline constexpr int kInputGroup = 32;
inline constexpr int kMostInputGroup = 256;

// Not groups of columns: activations as they are, or int8 by token.
inline constexpr int kFloats = 0, kByToken = -1;

// Columns whose codes' sums are kept.
inline constexpr int kSummedCodes = 16;

// Tokens that lie side by side when there are several: a kernel then has what
// they need from one place, with one load.
inline constexpr int kTokenBlock = 4;

// How many tokens lie side by side, `tokens` being all there are.
inline constexpr int BlockWidth(int tokens) {
  return tokens == 1 ? 1 : kTokenBlock;
}

// Activations in int8: x[t][c] is about scale(t, c / group) * code(t, c).
// Tokens are in blocks of BlockWidth(tokens), the last one filled up with
// zeros.
struct QuantisedInput {
  int group;
  const int8_t* codes;   // [blocks, columns / 4, width, 4], -127 to 127
  const float* scales;   // [blocks, columns / group, width]
  const PairSums* sums;  // [blocks, columns / 16, width], of the codes
  int blocks;
};

// Activations in int8 with one scale a token, as XNNPACK takes them.
struct TokenQuantisedInput {
  const int8_t* codes;       // [tokens], Int8InputBytes(columns) apart
  const TokenScale* scales;  // [tokens]
};

// The left operand of one or several matrix products: made once, quantised
// when the first product that wants int8 asks, and shared by all of them
// (query, key, value and gates; gate and up).
class ProductInput {
 public:
  // x [tokens, columns], dense. The workspace must outlive the input and its
  // arena hold ScratchBytes(tokens, columns): enough for one kind of int8.
  ProductInput(int tokens, int columns, const float* x, Workspace& workspace)
      : tokens_(tokens), columns_(columns), x_(x), workspace_(workspace) {}

  // Of up to `together` products at a time.
  static size_t ScratchBytes(int tokens, int columns, int together = 1);

  int tokens() const { return tokens_; }
  int columns() const { return columns_; }
  const float* values() const { return x_; }
  Workspace& workspace() { return workspace_; }

  // Makes it what a matrix takes (Linear::input_group): after that products
  // take nothing of the arena but what they can give back.
  void Prepare(int group);

  // columns % group == 0, group 32 or 256. Each group's scale is max |x| / 127;
  // nearest, ties to even. Matrices that share an input mostly take the same
  // group: one that takes another has it quantised anew, in the same scratch.
  // That is a hundredth of its product or less, and what was given before is
  // gone.
  const QuantisedInput& Quantised(int group);

  // Any number of columns; the range of each token's values takes all codes.
  const TokenQuantisedInput& QuantisedByToken();

  // Whether dot products here take codes in a form of two bytes, too: not where
  // the engine's own takes int8. There is no room for them then.
  static bool HasTwoByteForms();

  // Those codes widened to 16 bits, as WideDot takes them. They lie where
  // halved ones do: which of both formats take depends on the number of tokens
  // alone (TileProduct), or products made together would overwrite each
  // other's.
  const int16_t* Widened(int group);

  // Those codes as 16 times an upper half and a lower one, both of -8 to 8, as
  // HalvesDot takes them: of each four codes the lower halves, then the upper.
  const int8_t* Halved(int group);

  // Makes it the input x [tokens, columns] of no more tokens instead, in the
  // scratch that it has.
  void Replace(int tokens, const float* x);

 private:
  // What was taken for the first input.
  struct Room {
    int8_t* codes = nullptr;
    float* scales = nullptr;
    PairSums* sums = nullptr;
    int16_t* two_bytes = nullptr;  // of widened or halved codes
    int8_t* token_codes = nullptr;
    TokenScale* token_scales = nullptr;
  };

  // What the room for codes of two bytes has.
  enum class Form { kNone, kWidened, kHalved };

  // The codes in a form of two bytes each, which `fill(codes, count, to)` makes
  // where they are not there yet.
  template <class Fill>
  const int16_t* InForm(Form form, int group, const Fill& fill);

  int tokens_;
  int columns_;
  const float* x_;
  Workspace& workspace_;
  Room room_;
  QuantisedInput quantised_ = {};
  TokenQuantisedInput by_token_ = {};
  Form form_ = Form::kNone;
};

}  // namespace fastweights
