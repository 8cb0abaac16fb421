// SPDX-License-Identifier: MIT
#pragma once

#include <cstdio>
#include <iterator>
#include <memory>
#include <string>
#include <utility>

#include "base/check.h"
#include "gguf_file.h"
#include "golden_names.h"

namespace fastweights {

inline constexpr int kGoldenCount = std::size(kGoldenModels);

// A golden model's file, read at its first use and kept: without GoogleTest,
// whose failures would not end a fuzzer.
inline const GgufFile& GoldenGguf(int index) {
  static std::unique_ptr<GgufFile> files[kGoldenCount];
  std::unique_ptr<GgufFile>& kept = files[index];
  if (!kept) {
    const std::string path = std::string(FASTWEIGHTS_GOLDEN_DIR) + "/" +
                             GoldenModelFile(kGoldenModels[index]);
    std::FILE* file = std::fopen(path.c_str(), "rb");
    CHECK(file != nullptr);
    std::string bytes;
    char part[1 << 16];
    while (const size_t read = std::fread(part, 1, sizeof(part), file)) {
      bytes.append(part, read);
    }
    std::fclose(file);
    kept = std::make_unique<GgufFile>(std::move(bytes));
  }
  return *kept;
}

}  // namespace fastweights
