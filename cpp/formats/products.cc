// SPDX-License-Identifier: MIT
#include "formats/products.h"

#include <algorithm>

#include "base/check.h"
#include "formats/format.h"

namespace fastweights {
namespace {

// Tasks that threads share what costs so much as.
int TasksOf(int threads, uint64_t cost) {
  // A task of less costs less than handing it to another thread.
  constexpr uint64_t kTaskCost = 32 << 10;
  // Tasks a thread, so that one that is held up leaves some to the others.
  constexpr uint64_t kTasksOfThread = 4;
  if (threads == 1) return 1;
  return static_cast<int>(
      std::clamp<uint64_t>(cost / kTaskCost, 1, threads * kTasksOfThread));
}

// How many of the first products take the input in one form; floats are there
// in any case.
size_t CountOfOneForm(std::span<const MatrixProduct> products, int* group) {
  *group = kFloats;
  for (size_t i = 0; i < products.size(); ++i) {
    const int next = products[i].matrix->input_group();
    if (*group == kFloats) *group = next;
    if (next != kFloats && next != *group) return i;
  }
  return products.size();
}

void RunOfOneForm(std::span<const MatrixProduct> products, ProductInput& x) {
  Workspace& workspace = x.workspace();
  const ArenaScope scope(workspace.arena());
  ProductParts parts[kMostTogether];
  for (size_t i = 0; i < products.size(); ++i) {
    const MatrixProduct& product = products[i];
    DCHECK(product.rows >= 1 && product.rows <= product.matrix->rows());
    parts[i] = product.matrix->Parts(product, x);
  }
  RunParts({parts, products.size()}, workspace);
}

}  // namespace

void ProductParts::Run(uint64_t from, uint64_t to, Arena& arena) const {
  const auto first_from = [&](uint64_t at) {
    return static_cast<int>((std::min(at, cost()) + part_cost_ - 1) /
                            part_cost_);
  };
  const int first = first_from(from), last = first_from(to);
  if (first < last) run_(body_, first, last, arena);
}

void RunParts(std::span<const ProductParts> products, Workspace& workspace) {
  uint64_t cost = 0;
  for (const ProductParts& product : products) cost += product.cost();
  const int tasks = TasksOf(workspace.threads().sharing(), cost);
  workspace.threads().For(tasks, [&](int task, int thread) {
    uint64_t from = cost * task / tasks, to = cost * (task + 1) / tasks;
    for (const ProductParts& product : products) {
      product.Run(from, to, workspace.thread_arena(thread));
      from -= std::min(from, product.cost());
      to -= std::min(to, product.cost());
    }
  });
}

void MultiplyTogether(std::span<const MatrixProduct> products,
                      ProductInput& x) {
  DCHECK(products.size() <= kMostTogether);
  Profile* profile = x.workspace().profile();
  while (!products.empty()) {
    int group;
    size_t count = CountOfOneForm(products, &group);
    // A profile says what each matrix takes by itself.
    if (profile != nullptr) count = 1;
    {
      const Linear& matrix = *products[0].matrix;
      const int rows = products[0].rows;
      const ProfileScope scope(
          profile, matrix.ProfiledAs(rows),
          {2.0 * x.tokens() * rows * matrix.columns(),
           static_cast<double>(matrix.bytes()) * rows / matrix.rows()});
      x.Prepare(group);
      RunOfOneForm(products.first(count), x);
    }
    products = products.subspan(count);
  }
}

}  // namespace fastweights
