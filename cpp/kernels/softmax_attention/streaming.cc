// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "kernels/simd.h"
#include "kernels/softmax_attention/float_products.h"
#include "kernels/softmax_attention/int8_products.h"
#include "kernels/softmax_attention/page.h"
#include "kernels/softmax_attention/softmax_attention.h"

namespace fastweights {
namespace {

// Where a row of a head's group is.
struct RowPlace {
  RowPlace(const SoftmaxAttentionShape& shape, int kv_head, int row) {
    const int group = shape.query_heads / shape.kv_heads;
    token = row / group;
    head = kv_head * group + row % group;
  }

  int token, head;
};

// The row's output.
float* OutOf(const SoftmaxAttentionShape& shape, const SoftmaxAttentionArgs& a,
             RowPlace at) {
  return a.out + (at.token * shape.query_heads + at.head) * shape.value_dim;
}

// The run of the first position that a token sees.
int FirstRun(const SoftmaxAttentionShape& shape, int position) {
  return FirstSeen(shape, position) / kRunTokens;
}

template <typename Products>
void AddPages(const SoftmaxAttentionShape& shape, const KvPages& cache,
              int start, int end, AttentionBlock& block) {
  PageAttention<Products> attention(shape, block);
  const int length = block.length[block.rows - 1];
  for (; start < end; start += kPageTokens) {
    float* const* page = cache.pages + start / kPageTokens;
    attention.AddPage(
        page[0] + cache.offset, start,
        start + kPageTokens < length ? page[1] + cache.offset : nullptr);
  }
}

// What depends on how keys and values are kept. By address, so that each stays
// a function of its own, whole, as linkers of WebAssembly inline what is called
// once: a load's check then meets all of those that will run, and nothing of
// those that will not, which other processors are for.
struct KvSteps {
  void (*prepare)(const SoftmaxAttentionShape& shape, AttentionBlock& block,
                  float* scratch);
  void (*add_pages)(const SoftmaxAttentionShape& shape, const KvPages& cache,
                    int start, int end, AttentionBlock& block);
};
template <typename Products>
constexpr KvSteps kStepsOf = {&Products::Prepare, &AddPages<Products>};

const KvSteps& StepsOf(KvType type) {
  switch (type) {
    case KvType::kF32:
      return kStepsOf<FloatProducts<KvType::kF32>>;
    case KvType::kBf16:
      return kStepsOf<FloatProducts<KvType::kBf16>>;
    case KvType::kInt8:
      break;
  }
  return RelaxedDotIsOne()
             ? kStepsOf<Int8Products<NarrowHalvesDot, NarrowFactorDot>>
             : kStepsOf<Int8Products<WideFactorDot, ShortFactorDot>>;
}

// Where row r of a block of them is.
RowPlace PlaceOf(const SoftmaxAttentionShape& shape, const AttentionRows& rows,
                 int r) {
  const int of_head = rows.end - rows.first;
  return {shape, rows.head + r / of_head, rows.first + r % of_head};
}

// Scratch [kAttentionRows, key_dim].
void Begin(const SoftmaxAttentionShape& shape, const SoftmaxAttentionArgs& a,
           const AttentionRows& rows, float* scratch, AttentionBlock* block) {
  block->head = rows.head;
  block->heads = rows.head_end - rows.head;
  block->head_rows = rows.end - rows.first;
  block->rows = block->heads * block->head_rows;
  DCHECK(block->heads > 0 && block->head_rows > 0);
  DCHECK(block->rows <= kAttentionRows);
  for (int r = 0; r < block->rows; ++r) {
    const RowPlace at = PlaceOf(shape, rows, r);
    block->q[r] = a.q + at.token * a.q_stride + at.head * a.q_head_stride;
    block->first[r] = FirstSeen(shape, a.position + at.token);
    block->length[r] = a.position + at.token + 1;
  }
  StepsOf(shape.kv_type).prepare(shape, *block, scratch);
}

void Forget(int value_dim, AttentionBlock* block) {
  for (int r = 0; r < block->rows; ++r) {
    block->top[r] = -INFINITY;
    block->total[r] = 0.0f;
    std::fill_n(block->out[r], value_dim, 0.0f);
  }
}

// The block's sums over one run.
void AddRun(const SoftmaxAttentionShape& shape, const KvPages& cache, int run,
            AttentionBlock* block) {
  Forget(shape.value_dim, block);
  const int start =
      std::max(block->first[0] / kPageTokens * kPageTokens, run * kRunTokens);
  const int end =
      std::min(block->length[block->rows - 1], (run + 1) * kRunTokens);
  StepsOf(shape.kv_type).add_pages(shape, cache, start, end, *block);
}

// A row's sums over some positions.
struct RowSums {
  float* out;
  float* top;
  float* total;
};

// Adds those over later positions.
void Join(int value_dim, const RowSums& later, const RowSums& sums) {
  const float top = std::max(*sums.top, *later.top);
  const float ours = std::exp(*sums.top - top);
  const float theirs = std::exp(*later.top - top);
  *sums.top = top;
  *sums.total = *sums.total * ours + *later.total * theirs;
  const F32x4 a = Splat(ours), b = Splat(theirs);
  for (int i = 0; i < value_dim; i += 4) {
    const F32x4 x = Mul(Load(sums.out + i), a);
    Store(sums.out + i, MulAdd(Load(later.out + i), b, x));
  }
}

void Copy(int value_dim, const RowSums& from, const RowSums& to) {
  *to.top = *from.top;
  *to.total = *from.total;
  std::copy_n(from.out, value_dim, to.out);
}

// out = sums / total
void Finish(int value_dim, const RowSums& sums, float* out) {
  const F32x4 inverse = Splat(1.0f / *sums.total);
  for (int i = 0; i < value_dim; i += 4) {
    Store(out + i, Mul(Load(sums.out + i), inverse));
  }
}

}  // namespace

void SoftmaxAttentionStreaming(const SoftmaxAttentionShape& shape,
                               const SoftmaxAttentionArgs& a,
                               const AttentionRows& rows, float* scratch) {
  const int V = shape.value_dim;
  DCHECK(shape.key_dim % 4 == 0 && V % 4 == 0);
  // Sums of products of 7 and 14 bits stay within 31.
  DCHECK(shape.kv_type != KvType::kInt8 || shape.key_dim <= 1024);
  DCHECK(shape.query_heads % shape.kv_heads == 0);
  AttentionBlock sums, later;
  Begin(shape, a, rows, scratch, &sums);
  float* later_sums = scratch + kAttentionRows * shape.key_dim;
  for (int r = 0; r < sums.rows; ++r) {
    sums.out[r] = OutOf(shape, a, PlaceOf(shape, rows, r));
  }
  const int last = sums.rows - 1;
  const int first_run = sums.first[0] / kRunTokens;
  AddRun(shape, a.cache, first_run, &sums);
  int run = first_run + 1;
  if (run * kRunTokens < sums.length[last]) {
    later = sums;
    for (int r = 0; r < later.rows; ++r) later.out[r] = later_sums + r * V;
  }
  for (; run * kRunTokens < sums.length[last]; ++run) {
    AddRun(shape, a.cache, run, &later);
    for (int r = 0; r < sums.rows; ++r) {
      const int begins = sums.first[r] / kRunTokens;
      if (run < begins || run * kRunTokens >= sums.length[r]) continue;
      const RowSums ours = {sums.out[r], &sums.top[r], &sums.total[r]};
      const RowSums theirs = {later.out[r], &later.top[r], &later.total[r]};
      run == begins ? Copy(V, theirs, ours) : Join(V, theirs, ours);
    }
  }
  for (int r = 0; r < sums.rows; ++r) {
    const RowSums row = {sums.out[r], &sums.top[r], &sums.total[r]};
    Finish(V, row, sums.out[r]);
  }
}

void SoftmaxAttentionRun(const SoftmaxAttentionShape& shape,
                         const SoftmaxAttentionArgs& a,
                         const AttentionRows& rows, int run, float* sums,
                         float* scratch) {
  AttentionBlock block;
  Begin(shape, a, rows, scratch, &block);
  for (int r = 0; r < block.rows; ++r) {
    block.out[r] = sums + r * RunSumFloats(shape);
  }
  AddRun(shape, a.cache, run, &block);
  for (int r = 0; r < block.rows; ++r) {
    block.out[r][shape.value_dim] = block.top[r];
    block.out[r][shape.value_dim + 1] = block.total[r];
  }
}

void SoftmaxAttentionJoin(const SoftmaxAttentionShape& shape,
                          const SoftmaxAttentionArgs& a, int kv_head, int row,
                          int run, int run_end, float* sums, int stride,
                          float* so_far) {
  const int V = shape.value_dim;
  const RowPlace at(shape, kv_head, row);
  const int position = a.position + at.token;
  const int begins = FirstRun(shape, position);
  const int last = position / kRunTokens;
  const auto sums_at = [&](float* x) { return RowSums{x, x + V, x + V + 1}; };
  for (; run < run_end; ++run, sums += stride) {
    if (run < begins || run > last) continue;
    run == begins ? Copy(V, sums_at(sums), sums_at(so_far))
                  : Join(V, sums_at(sums), sums_at(so_far));
  }
  if (run > last) Finish(V, sums_at(so_far), OutOf(shape, a, at));
}

}  // namespace fastweights
