// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "base/check.h"
#include "base/config.h"
#include "base/plan.h"

namespace fastweights {

// A GGUF file that is known to be sound: metadata as the Config that the web
// side makes of it, and where each tensor's bytes are.
class GgufFile {
 public:
  struct Tensor {
    TensorShape shape;
    const uint8_t* bytes;
  };

  explicit GgufFile(std::string bytes) : bytes_(std::move(bytes)) {
    CHECK(bytes_.compare(0, 4, "GGUF") == 0);
    at_ = 8;  // past the magic and the version
    const uint64_t tensor_count = Take<uint64_t>();
    const uint64_t key_count = Take<uint64_t>();
    for (uint64_t i = 0; i < key_count; ++i) {
      const std::string key = TakeText();
      TakeValue(key, Take<uint32_t>());
    }
    std::vector<uint64_t> offsets;
    for (uint64_t i = 0; i < tensor_count; ++i) {
      TensorShape shape = {TakeText(), 0, 1, 1};
      const uint32_t dims = Take<uint32_t>();
      for (uint32_t d = 0; d < dims; ++d) {
        const int length = static_cast<int>(Take<uint64_t>());
        (d == 0 ? shape.columns : shape.rows) *= length;
      }
      shape.type = static_cast<int>(Take<uint32_t>());
      offsets.push_back(Take<uint64_t>());
      tensors_.push_back({std::move(shape), nullptr});
    }
    constexpr size_t kAlign = 32;
    const size_t start = (at_ + kAlign - 1) / kAlign * kAlign;
    for (size_t i = 0; i < tensors_.size(); ++i) {
      tensors_[i].bytes =
          reinterpret_cast<const uint8_t*>(bytes_.data()) + start + offsets[i];
    }
  }
  GgufFile(const GgufFile&) = delete;
  GgufFile& operator=(const GgufFile&) = delete;

  const Config& config() const { return config_; }
  // Of the metadata that are numbers.
  const std::vector<std::string>& number_keys() const { return number_keys_; }
  const std::vector<Tensor>& tensors() const { return tensors_; }

 private:
  enum Type { kText = 8, kArray = 9 };

  template <typename T>
  T Take() {
    T value;
    CHECK(at_ + sizeof(T) <= bytes_.size());
    std::memcpy(&value, bytes_.data() + at_, sizeof(T));
    at_ += sizeof(T);
    return value;
  }
  std::string TakeText() {
    const uint64_t length = Take<uint64_t>();
    CHECK(at_ + length <= bytes_.size());
    at_ += length;
    return bytes_.substr(at_ - length, length);
  }
  double TakeNumber(uint32_t type) {
    switch (type) {
      case 0:
      case 7:
        return Take<uint8_t>();
      case 1:
        return Take<int8_t>();
      case 2:
        return Take<uint16_t>();
      case 3:
        return Take<int16_t>();
      case 4:
        return Take<uint32_t>();
      case 5:
        return Take<int32_t>();
      case 6:
        return Take<float>();
      case 10:
        return static_cast<double>(Take<uint64_t>());
      case 11:
        return static_cast<double>(Take<int64_t>());
      case 12:
        return Take<double>();
    }
    CHECK(false);
    return 0;
  }
  void TakeValue(const std::string& key, uint32_t type) {
    if (type == kText) {
      config_.SetText(key, TakeText());
    } else if (type == kArray) {
      const uint32_t element = Take<uint32_t>();
      std::vector<double> numbers(Take<uint64_t>());
      for (double& number : numbers) {
        if (element == kText) {
          TakeText();  // the vocabulary, which only the web side reads
        } else {
          number = TakeNumber(element);
        }
      }
      if (element == kText) return;
      number_keys_.push_back(key);
      config_.SetNumbers(key, std::move(numbers));
    } else {
      number_keys_.push_back(key);
      config_.SetNumbers(key, {TakeNumber(type)});
    }
  }

  std::string bytes_;
  size_t at_ = 0;
  Config config_;
  std::vector<std::string> number_keys_;
  std::vector<Tensor> tensors_;
};

}  // namespace fastweights
