// SPDX-License-Identifier: MIT
export async function buildDemo() {}
