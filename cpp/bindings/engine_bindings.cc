// SPDX-License-Identifier: MIT

// What is asked of the engine and of the heap before there is a model.

#include <emscripten/bind.h>
#include <malloc.h>

#include "formats/self_check.h"
#include "kernels/softmax_attention/self_check.h"

namespace fastweights {
namespace {

using emscripten::val;

bool AreExact(val types, MatrixForm form) {
  return ProductsAreExact(emscripten::vecFromJSArray<int>(types), form);
}

// Bytes of heap that are in use, whatever the size of the memory.
double HeapInUse() { return static_cast<double>(mallinfo().uordblks); }

}  // namespace

EMSCRIPTEN_BINDINGS(fastweights_engine) {
  emscripten::enum_<MatrixForm>("MatrixForm")
      .value("stored", MatrixForm::kStored)
      .value("q8_0", MatrixForm::kQ8_0)
      .value("q4_0", MatrixForm::kQ4_0)
      .value("q4_k", MatrixForm::kQ4_K)
      .value("qc8", MatrixForm::kQc8);

  emscripten::function("heapInUse", &HeapInUse);
  emscripten::function("productsAreExact", &AreExact);
  emscripten::function("int8AttentionIsExact", &Int8AttentionIsExact);
}

}  // namespace fastweights
