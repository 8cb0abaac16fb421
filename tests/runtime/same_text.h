// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>

#include "kernel_test.h"
#include "runtime/session.h"

namespace fastweights {

inline bool SameBits(const float* a, const float* b, size_t floats) {
  return std::memcmp(a, b, floats * sizeof(float)) == 0;
}

inline void ExpectSamePages(const Session& session, const Session& twin,
                            const Model& model) {
  EXPECT_EQ(session.kv_bytes(), twin.kv_bytes());
  ASSERT_EQ(session.pages(), twin.pages());
  for (int i = 0; i < session.pages(); ++i) {
    EXPECT_TRUE(SameBits(session.page(i), twin.page(i), model.page_floats()));
  }
}

// Of what a text has read, to the bit; what has been drawn and not read, and
// what a state's last change was, are not compared.
inline void ExpectSameText(const Session& session, const Session& twin,
                           const Model& model) {
  EXPECT_EQ(session.position(), twin.position());
  EXPECT_TRUE(SameBits(session.state(), twin.state(), model.state_floats()));
  EXPECT_TRUE(SameBits(session.logits(), twin.logits(), model.vocab()));
  ExpectSamePages(session, twin, model);
}

}  // namespace fastweights
