// SPDX-License-Identifier: MIT
// What a bundler leaves of a worker whose only import it takes for useless.
