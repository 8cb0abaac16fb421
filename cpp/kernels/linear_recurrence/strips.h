// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>

#include "kernels/linear_recurrence/linear_recurrence.h"

namespace fastweights {

// Calls strip(lanes, column) for each strip of a head's value columns, lanes a
// constant of vectors in it: four, and what is left in the last one.
template <typename F>
void ForEachStrip(int value_dim, const F& strip) {
  int column = 0;
  for (; column + kStripColumns <= value_dim; column += kStripColumns) {
    strip(std::integral_constant<int, 4>(), column);
  }
  switch ((value_dim - column) / 4) {
    case 1:
      return strip(std::integral_constant<int, 1>(), column);
    case 2:
      return strip(std::integral_constant<int, 2>(), column);
    case 3:
      return strip(std::integral_constant<int, 3>(), column);
  }
}

}  // namespace fastweights
