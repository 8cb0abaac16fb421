// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace fastweights {

// What is wrong with the user's model. `code` is one of ModelErrorCode in
// web/errors.ts; `subject` names the tensor or metadata key concerned.
struct Error {
  std::string code;
  std::string subject;
  std::string message;
};

// A value, or the reason there is none.
template <typename T>
class Result {
 public:
  Result(T value) : content_(std::move(value)) {}
  Result(Error error) : content_(std::move(error)) {}

  bool ok() const { return std::holds_alternative<T>(content_); }
  T& value() { return std::get<T>(content_); }
  const Error& error() const { return std::get<Error>(content_); }

 private:
  std::variant<T, Error> content_;
};

}  // namespace fastweights
