// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "gguf_file.h"
#include "golden_file.h"
#include "golden_names.h"
#include "runtime/model_builder.h"
#include "runtime/session.h"

namespace fastweights {

inline int TensorsThatEndWith(const GgufFile& file,
                              std::initializer_list<const char*> endings) {
  int count = 0;
  for (const GgufFile::Tensor& tensor : file.tensors()) {
    for (const char* ending : endings) {
      count += tensor.shape.name.ends_with(ending);
    }
  }
  return count;
}

inline void AddHeader(const GgufFile& file, ModelBuilder& builder) {
  builder.config() = file.config();
  for (const GgufFile::Tensor& tensor : file.tensors()) {
    builder.AddTensor(tensor.shape);
  }
}

// Appends every wanted tensor, at most `rows` rows at a time.
inline void AppendAll(const GgufFile& file, int rows, ModelBuilder& builder) {
  for (int i = 0; i < static_cast<int>(file.tensors().size()); ++i) {
    if (!builder.Wants(i)) continue;
    const GgufFile::Tensor& tensor = file.tensors()[i];
    const int most = std::min<int>(rows, kStagingBytes / builder.RowBytes(i));
    for (int row = 0; row < tensor.shape.rows; row += most) {
      const int count = std::min(most, tensor.shape.rows - row);
      std::memcpy(builder.staging(), tensor.bytes + row * builder.RowBytes(i),
                  count * builder.RowBytes(i));
      const auto error = builder.Append(i, count);
      EXPECT_FALSE(error) << error->message;
    }
  }
}

// Of a file in tests/golden.
inline std::shared_ptr<Model> LoadModelFile(const std::string& path,
                                            const ModelOptions& options = {},
                                            int rows = 1 << 20) {
  const GgufFile file(ReadGolden(path));
  ModelBuilder builder(options);
  AddHeader(file, builder);
  std::optional<Error> error = builder.Plan();
  if (!error) error = builder.Reserve();
  EXPECT_FALSE(error) << error->message;
  if (error) return nullptr;
  AppendAll(file, rows, builder);
  Result<std::shared_ptr<Model>> model = builder.Finish();
  EXPECT_TRUE(model.ok()) << model.error().message;
  return model.ok() ? model.value() : nullptr;
}

inline std::shared_ptr<Model> LoadModel(const std::string& name,
                                        const ModelOptions& options = {},
                                        int rows = 1 << 20) {
  return LoadModelFile(GoldenModelFile(name), options, rows);
}

// A text with the logits that the reference implementation gives for it.
struct GoldenText {
  std::vector<int> ids;
  std::vector<float> logits;  // [ids, vocab]
  // The 16 most likely continuations, one by one; of some models none.
  std::vector<int> greedy;
};

// fixture.json is a list of one-level objects: reading the numbers of the n-th
// array under a key takes no parser.
inline std::vector<int> Numbers(const std::string& json, const char* key,
                                int nth) {
  size_t at = 0;
  for (int i = 0; i <= nth; ++i) {
    at = json.find("\"" + std::string(key) + "\": [", at + 1);
  }
  EXPECT_NE(at, std::string::npos) << key;
  std::vector<int> numbers;
  const char* from = json.c_str() + json.find('[', at);
  while (*from != ']') {
    char* end;
    numbers.push_back(static_cast<int>(std::strtol(from + 1, &end, 10)));
    from = end;
  }
  return numbers;
}

inline std::vector<GoldenText> GoldenTexts(const std::string& name) {
  const std::string folder = "models/" + name + "/";
  const std::string json = ReadGolden(folder + "fixture.json");
  std::vector<GoldenText> texts;
  for (int i = 0; i < 2; ++i) {
    const std::vector<int> ids = Numbers(json, "ids", i);
    const std::string file = "logits_" + std::to_string(ids.size()) + ".bin";
    const bool has_greedy = json.find("\"greedy16\"") != std::string::npos;
    texts.push_back(
        {ids, GoldenFloats(ReadGolden(folder + file)),
         has_greedy ? Numbers(json, "greedy16", i) : std::vector<int>()});
  }
  return texts;
}

}  // namespace fastweights
