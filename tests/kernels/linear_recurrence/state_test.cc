// SPDX-License-Identifier: MIT

// What there is to see of a state: as the definition has it after every token,
// pending or not, and what the last token did to it.

#include <algorithm>
#include <cmath>
#include <tuple>

#include "kernels/linear_recurrence/problem.h"

namespace fastweights {
namespace {

using Cell = std::tuple<Decay, Erase, Read>;

class LinearRecurrenceSeen : public testing::TestWithParam<Cell> {
 protected:
  // Strips of sixteen columns and of four.
  static LinearRecurrenceShape Shape() {
    const auto [decay, erase, read] = GetParam();
    return {.decay = decay,
            .erase = erase,
            .read = read,
            .order = KeyHeads::kTiled,
            .heads = 4,
            .key_heads = 2,
            .key_dim = 12,
            .value_dim = 20};
  }

  // A head's state after `tokens` in calls of `step`, [key_dim, value_dim].
  static std::vector<float> Seen(Problem& problem, int tokens, int step,
                                 int head) {
    const LinearRecurrenceShape shape = Shape();
    for (int t = 0; t < tokens; t += step) {
      problem.Run(Chunk, t, std::min(t + step, tokens));
    }
    Poisoned seen(shape.key_dim * shape.value_dim, 1);
    LinearRecurrenceArgs args = {};
    args.state = problem.state(0);
    args.state_stride = ChunkStateFloats(shape);
    LinearRecurrenceState(tokens, shape, args, head, seen.data());
    EXPECT_TRUE(seen.intact());
    return {seen.values().begin(), seen.values().end()};
  }

  static std::vector<float> Defined(Problem problem, int tokens, int head) {
    const LinearRecurrenceShape shape = Shape();
    problem.Run(Naive, 0, tokens);
    std::vector<float> state;
    for (int i = 0; i < shape.key_dim; ++i) {
      for (int j = 0; j < shape.value_dim; ++j) {
        state.push_back(problem.state(head)[StateIndex(shape, i, j)]);
      }
    }
    return state;
  }
};

TEST_P(LinearRecurrenceSeen, StateIsTheDefinitionsAfterEveryToken) {
  for (int tokens = 0; tokens <= 18; ++tokens) {
    SCOPED_TRACE(tokens);
    const Problem problem(Shape(), 18, tokens % 2);
    for (const int head : {0, 3}) {
      const std::vector<float> defined = Defined(problem, tokens, head);
      Problem whole = problem, parts = problem;
      const std::vector<float> seen = Seen(whole, tokens, 18, head);
      EXPECT_TRUE(Near(seen, defined, 2e-6));
      EXPECT_TRUE(Same(Seen(parts, tokens, 1, head), seen));
    }
  }
}

TEST_P(LinearRecurrenceSeen, LookingChangesNothing) {
  Problem seen(Shape(), 18), unseen(Shape(), 18);
  unseen.Run(Chunk, 0, 13);
  Seen(seen, 13, 13, 2);
  EXPECT_TRUE(Same(seen.memory(), unseen.memory()));
}

TEST_P(LinearRecurrenceSeen, TraceLeadsFromTheStateBeforeToTheOneAfter) {
  const LinearRecurrenceShape shape = Shape();
  for (int tokens = 1; tokens <= 18; ++tokens) {
    for (const int step : {1, 18}) {
      SCOPED_TRACE(testing::Message() << tokens << " by " << step);
      Problem problem(shape, 18);
      const std::vector<float> before = Defined(problem, tokens - 1, 3);
      const std::vector<float> after = Defined(problem, tokens, 3);
      Seen(problem, tokens, step, 3);
      EXPECT_TRUE(problem.intact());
      const RecurrenceTrace trace = problem.trace(3);
      std::vector<float> made;
      for (int i = 0; i < shape.key_dim; ++i) {
        const int channel = shape.decay == Decay::kPerChannel ? i : 0;
        for (int j = 0; j < shape.value_dim; ++j) {
          double sum =
              double{trace.decay[channel]} * before[i * shape.value_dim + j];
          for (int w = 0; w < WritesPerToken(shape.erase); ++w) {
            sum += double{trace.keys[w][i]} * trace.writes[w][j];
          }
          made.push_back(static_cast<float>(sum));
        }
      }
      EXPECT_TRUE(Near(made, after, 2e-6));
    }
  }
}

TEST_P(LinearRecurrenceSeen, TraceHasTheTokensOwnNumbers) {
  constexpr int kTokens = 11, kHead = 2;
  const LinearRecurrenceShape shape = Shape();
  Problem problem(shape, kTokens);
  const int last = kTokens - 1, key_head = kHead % shape.key_heads;
  const auto norm = [](const float* x, int count) {
    double sum = 0;
    for (int i = 0; i < count; ++i) sum += double{x[i]} * x[i];
    return std::sqrt(sum);
  };
  const double query = norm(problem.q(last, key_head), shape.key_dim);
  const double value = norm(problem.v(last, kHead), shape.value_dim);
  const float beta = problem.beta().data()[last * shape.heads + kHead];
  // Where outputs take the place of values.
  problem.RunInPlace(Chunk);
  const RecurrenceTrace trace = problem.trace(kHead);
  EXPECT_NEAR(*trace.query_norm, query, 1e-6 * query);
  EXPECT_NEAR(*trace.value_norm, value, 1e-6 * value);
  EXPECT_EQ(*trace.beta, shape.erase == Erase::kDelta ? beta : 1.0f);
}

INSTANTIATE_TEST_SUITE_P(
    All, LinearRecurrenceSeen,
    testing::Values(Cell(Decay::kNone, Erase::kNone, Read::kAfterWrite),
                    Cell(Decay::kPerHead, Erase::kNone, Read::kAfterWrite),
                    Cell(Decay::kPerChannel, Erase::kNone, Read::kBeforeWrite),
                    Cell(Decay::kNone, Erase::kDelta, Read::kAfterWrite),
                    Cell(Decay::kPerHead, Erase::kDelta, Read::kAfterWrite),
                    Cell(Decay::kPerChannel, Erase::kDelta, Read::kAfterWrite),
                    Cell(Decay::kPerChannel, Erase::kKey, Read::kAfterWrite),
                    Cell(Decay::kPerHead, Erase::kLowRank, Read::kAfterWrite),
                    Cell(Decay::kPerChannel, Erase::kLowRank,
                         Read::kAfterWrite)));

}  // namespace
}  // namespace fastweights
