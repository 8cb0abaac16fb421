// SPDX-License-Identifier: MIT
#pragma once

namespace fastweights {

// Whether attention to int8 keys and values multiplies as it should here: every
// loop of its dot products on whole numbers, of which nothing rounds.
bool Int8AttentionIsExact();

}  // namespace fastweights
