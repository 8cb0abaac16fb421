// SPDX-License-Identifier: MIT

// What the recurrence is for: laws that need no second implementation.

#include "kernel_test.h"
#include "kernels/linear_recurrence/linear_recurrence.h"

namespace fastweights {
namespace {

constexpr int kDim = 16;
constexpr int kValueDim = 20;

LinearRecurrenceShape Shape(Decay decay, Erase erase, Read read) {
  return {.decay = decay,
          .erase = erase,
          .read = read,
          .order = KeyHeads::kTiled,
          .heads = 1,
          .key_heads = 1,
          .key_dim = kDim,
          .value_dim = kValueDim};
}

// One head's cell with dense inputs.
struct Cell {
  explicit Cell(int tokens, uint64_t seed = 1)
      : q(static_cast<size_t>(tokens) * kDim, 0.0f),
        k(q),
        v(Random(seed).Normals(static_cast<size_t>(tokens) * kValueDim)),
        g(q.size(), 0.0f),
        beta(tokens, 1.0f),
        p(q),
        b(q),
        bonus(kDim, 0.0f),
        state(kDim * kValueDim, 0.0f),
        out(v.size(), NAN) {}

  void Run(Decay decay, Erase erase, Read read = Read::kAfterWrite) {
    const int tokens = static_cast<int>(beta.size());
    std::vector<float> scratch(3 * kDim, NAN);
    LinearRecurrenceRecurrent(tokens, Shape(decay, erase, read),
                              {.q = q.data(),
                               .q_stride = kDim,
                               .k = k.data(),
                               .k_stride = kDim,
                               .v = v.data(),
                               .v_stride = kValueDim,
                               .g = g.data(),
                               .beta = beta.data(),
                               .p = p.data(),
                               .p_stride = kDim,
                               .b = b.data(),
                               .b_stride = kDim,
                               .bonus = bonus.data(),
                               .state = state.data(),
                               .state_stride = kDim * kValueDim,
                               .out = out.data(),
                               .out_stride = kValueDim},
                              0, scratch.data());
  }

  std::vector<float> q, k, v, g, beta, p, b, bonus, state, out;
};

// Row `row` of the Sylvester-Hadamard matrix, scaled to length one: sixteen of
// them are orthogonal to each other, and exact in float.
void HadamardRow(int row, float* to) {
  for (int i = 0; i < kDim; ++i) {
    to[i] = __builtin_parity(row & i) ? -0.25f : 0.25f;
  }
}

TEST(LinearRecurrence, OrthonormalKeysWithBetaOneRecallExactly) {
  Cell cell(2 * kDim);
  for (int t = 0; t < kDim; ++t) {
    HadamardRow(t, cell.k.data() + t * kDim);
    HadamardRow(t, cell.q.data() + (kDim + t) * kDim);
    cell.beta[kDim + t] = 0.0f;
  }
  cell.Run(Decay::kNone, Erase::kDelta);
  const std::span<const float> out(cell.out);
  const std::span<const float> v(cell.v);
  EXPECT_TRUE(
      Near(out.last(kDim * kValueDim), v.first(kDim * kValueDim), 1e-6));
}

TEST(LinearRecurrence, WritingAgainUnderAKeyReplacesWhatWasThere) {
  Cell cell(3);
  for (int t = 0; t < 3; ++t) HadamardRow(5, cell.k.data() + t * kDim);
  HadamardRow(5, cell.q.data() + 2 * kDim);
  cell.Run(Decay::kNone, Erase::kDelta);
  const std::span<const float> out(cell.out);
  const std::span<const float> v(cell.v);
  EXPECT_TRUE(Near(out.last(kValueDim), v.last(kValueDim), 1e-6));
}

TEST(LinearRecurrence, BetaZeroOnlyDecays) {
  Cell cell(3);
  Random random(2);
  cell.k = random.Normals(cell.k.size());
  cell.q = random.Normals(cell.q.size());
  cell.state = random.Normals(cell.state.size());
  cell.beta.assign(3, 0.0f);
  cell.g = {-0.1f, -0.2f, -0.3f};
  std::vector<float> expected = cell.state;
  for (float& s : expected) s *= std::exp(-0.6f);
  cell.Run(Decay::kPerHead, Erase::kDelta);
  EXPECT_TRUE(Near(cell.state, expected, 1e-6));
}

TEST(LinearRecurrence, ZeroLogDecayIsNoDecay) {
  for (const Erase erase : {Erase::kNone, Erase::kDelta}) {
    Cell plain(40);
    Random random(3);
    plain.q = random.Normals(plain.q.size());
    plain.k = random.Normals(plain.k.size(), 0.25);
    Cell per_head = plain, per_channel = plain;
    plain.Run(Decay::kNone, erase);
    per_head.Run(Decay::kPerHead, erase);
    per_channel.Run(Decay::kPerChannel, erase);
    EXPECT_TRUE(Same(per_head.out, plain.out));
    EXPECT_TRUE(Same(per_channel.out, plain.out));
    EXPECT_TRUE(Same(per_channel.state, plain.state));
  }
}

TEST(LinearRecurrence, EqualChannelDecaysAreAHeadDecay) {
  Cell head(40);
  Random random(4);
  head.q = random.Normals(head.q.size());
  head.k = random.Normals(head.k.size(), 0.25);
  head.g = random.Uniforms(head.g.size(), -1.0, 0.0);
  Cell channel = head;
  for (size_t i = 0; i < channel.g.size(); ++i) {
    channel.g[i] = head.g[i / kDim];
  }
  head.Run(Decay::kPerHead, Erase::kDelta);
  channel.Run(Decay::kPerChannel, Erase::kDelta);
  EXPECT_TRUE(Same(channel.out, head.out));
}

// A cell of the delta rule, gates and state at random.
Cell RandomCell(int tokens) {
  Cell cell(tokens);
  Random random(6);
  cell.q = random.Normals(cell.q.size());
  cell.k = random.Normals(cell.k.size(), 0.25);
  cell.g = random.Uniforms(cell.g.size(), -1.0, 0.0);
  cell.beta = random.Uniforms(cell.beta.size(), 0.0, 1.0);
  cell.state = random.Normals(cell.state.size());
  return cell;
}

// Moves beta into the values and, with what else is given, into a copy of the
// keys.
void TakeBetaOut(Cell& cell, std::vector<float>& keys, const float* decays) {
  keys = cell.k;
  for (size_t i = 0; i < keys.size(); ++i) {
    keys[i] *= cell.beta[i / kDim];
    if (decays != nullptr) keys[i] *= std::exp(decays[i / kDim]);
  }
  for (size_t i = 0; i < cell.v.size(); ++i) {
    cell.v[i] *= cell.beta[i / kValueDim];
  }
  cell.beta.assign(cell.beta.size(), NAN);
}

TEST(LinearRecurrence, ErasingUnderBetaTimesTheKeyIsTheDeltaRule) {
  for (const Decay decay :
       {Decay::kNone, Decay::kPerHead, Decay::kPerChannel}) {
    Cell delta = RandomCell(40), key = delta;
    TakeBetaOut(key, key.p, nullptr);
    delta.Run(decay, Erase::kDelta);
    key.Run(decay, Erase::kKey);
    EXPECT_TRUE(Near(key.out, delta.out, 1e-6));
    EXPECT_TRUE(Near(key.state, delta.state, 1e-6));
  }
}

TEST(LinearRecurrence, ErasingAlongBetaTimesTheKeyIsTheDeltaRule) {
  Cell delta = RandomCell(40);
  delta.g.assign(delta.g.size(), 0.0f);
  Cell low_rank = delta;
  low_rank.p = low_rank.k;
  TakeBetaOut(low_rank, low_rank.b, nullptr);
  delta.Run(Decay::kNone, Erase::kDelta);
  for (const Decay decay :
       {Decay::kNone, Decay::kPerHead, Decay::kPerChannel}) {
    Cell cell = low_rank;
    cell.Run(decay, Erase::kLowRank);
    EXPECT_TRUE(Near(cell.out, delta.out, 1e-6));
    EXPECT_TRUE(Near(cell.state, delta.state, 1e-6));
  }
}

// What has not decayed is recalled: the decay goes to b.
TEST(LinearRecurrence, LowRankErasesBeforeTheDecay) {
  Cell delta = RandomCell(40), low_rank = delta;
  low_rank.p = low_rank.k;
  TakeBetaOut(low_rank, low_rank.b, low_rank.g.data());
  delta.Run(Decay::kPerHead, Erase::kDelta);
  low_rank.Run(Decay::kPerHead, Erase::kLowRank);
  EXPECT_TRUE(Near(low_rank.out, delta.out, 1e-6));
  EXPECT_TRUE(Near(low_rank.state, delta.state, 1e-6));
}

// A token that reads before its write reads what the one before it has left.
TEST(LinearRecurrence, ReadingBeforeTheWriteIsReadingAfterTheLastOne) {
  for (const Decay decay :
       {Decay::kNone, Decay::kPerHead, Decay::kPerChannel}) {
    Cell before = RandomCell(40), after = before;
    std::copy(before.q.begin() + kDim, before.q.end(), after.q.begin());
    before.Run(decay, Erase::kNone, Read::kBeforeWrite);
    after.Run(decay, Erase::kNone, Read::kAfterWrite);
    const std::span<const float> left(after.out), read(before.out);
    const size_t count = left.size() - kValueDim;
    EXPECT_TRUE(Near(read.last(count), left.first(count), 1e-6));
    EXPECT_TRUE(Same(before.state, after.state));
  }
}

// With a bonus of one a token reads its own write, as after it.
TEST(LinearRecurrence, BonusOfOneWithoutDecayIsReadingAfterTheWrite) {
  Cell before = RandomCell(40), after = before;
  before.bonus.assign(kDim, 1.0f);
  before.Run(Decay::kNone, Erase::kNone, Read::kBeforeWrite);
  after.Run(Decay::kNone, Erase::kNone);
  EXPECT_TRUE(Near(before.out, after.out, 1e-6));
}

// After a decay of everything the past is gone, whatever it was.
TEST(LinearRecurrence, FullDecayForgets) {
  for (const Decay decay : {Decay::kPerHead, Decay::kPerChannel}) {
    for (const Erase erase : {Erase::kNone, Erase::kDelta, Erase::kKey}) {
      Cell cell(2);
      Random random(5);
      cell.k = random.Normals(cell.k.size());
      cell.p = random.Normals(cell.p.size());
      cell.q = random.Normals(cell.q.size());
      const int gates = decay == Decay::kPerHead ? 1 : kDim;
      std::fill_n(cell.g.begin(), gates, -1e4f);
      Cell fresh = cell;
      cell.state = random.Normals(cell.state.size(), 1e36);
      cell.Run(decay, erase);
      fresh.Run(decay, erase);
      EXPECT_TRUE(Near(cell.out, fresh.out, 1e-7));
      EXPECT_TRUE(Near(cell.state, fresh.state, 1e-7));
    }
  }
}

}  // namespace
}  // namespace fastweights
