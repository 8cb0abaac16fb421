// SPDX-License-Identifier: MIT

// How a model is put together and what is asked of it: ModelBuilder and Model
// of web/wasm/glue.ts. A whole tensor's rows cross in one copy into staging().

#include <emscripten/bind.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/checksum.h"
#include "bindings/addresses.h"
#include "runtime/draft.h"
#include "runtime/model_builder.h"
#include "runtime/session.h"

namespace fastweights {
namespace {

using emscripten::val;

// An Error, or an empty code.
Error StatusOf(std::optional<Error> error) {
  return error ? std::move(*error) : Error{};
}

struct ModelHandle {
  std::shared_ptr<Model> model;
};

void SetText(ModelBuilder& builder, const std::string& key,
             const std::string& value) {
  builder.config().SetText(key, value);
}

void SetNumbers(ModelBuilder& builder, const std::string& key, val numbers) {
  builder.config().SetNumbers(key, emscripten::vecFromJSArray<double>(numbers));
}

void AddTensor(ModelBuilder& builder, const std::string& name, int type,
               int columns, int rows) {
  builder.AddTensor({name, type, columns, rows});
}

// Address and bytes of each part, one after the other.
val PackedOf(const ModelBuilder& builder) {
  std::vector<double> places;
  for (const std::span<uint8_t> part : builder.packed()) {
    places.push_back(AddressOf(part.data()));
    places.push_back(static_cast<double>(part.size()));
  }
  return val::array(places);
}

void AddTo(Checksum& checksum, unsigned address, unsigned bytes) {
  checksum.Add(At<uint8_t>(address), bytes);
}

// Of a small model beside another one, which outlives it: they share threads.
std::unique_ptr<ModelBuilder> MakeDraftBuilder(ModelBuilder& beside,
                                               const ModelOptions& options) {
  ModelOptions shared = options;
  shared.pool = &beside.threads();
  return std::make_unique<ModelBuilder>(shared);
}

std::unique_ptr<Session> MakeSession(const ModelHandle& handle) {
  return Session::Make(handle.model);
}

std::unique_ptr<Draft> MakeDraft(const ModelHandle& handle, int tokens) {
  return Draft::Make(handle.model, tokens);
}

// A row of a profile, flat.
struct ProfileRow {
  std::string phase, name, matrix, format;
  int rows, columns;
  double calls, ms, operations, weight_bytes;
};

val StopProfile(const ModelHandle& handle) {
  std::vector<ProfileRow> rows;
  for (const Profile::Row& row : handle.model->StopProfile()) {
    const bool prefill = row.phase == Profile::Phase::kPrefill;
    rows.push_back({prefill ? "prefill" : "decode", row.name, row.matrix,
                    row.format, row.rows, row.columns, row.calls, row.ms,
                    row.work.operations, row.work.weight_bytes});
  }
  return val::array(rows);
}

}  // namespace

EMSCRIPTEN_BINDINGS(fastweights_model) {
  using emscripten::class_;
  using emscripten::value_object;

  value_object<Error>("Status")
      .field("code", &Error::code)
      .field("subject", &Error::subject)
      .field("message", &Error::message);

  emscripten::enum_<KvType>("KvType")
      .value("f32", KvType::kF32)
      .value("bf16", KvType::kBf16)
      .value("int8", KvType::kInt8);

  value_object<ModelOptions>("ModelOptions")
      .field("batchTokens", &ModelOptions::batch_tokens)
      .field("threads", &ModelOptions::threads)
      .field("weights", &ModelOptions::weights)
      .field("guesses", &ModelOptions::guesses)
      .field("kv", &ModelOptions::kv);

  class_<ModelBuilder>("ModelBuilder")
      .constructor<ModelOptions>()
      .function("setText", &SetText)
      .function("setNumbers", &SetNumbers)
      .function("addTensor", &AddTensor)
      .function(
          "plan", +[](ModelBuilder& b) { return StatusOf(b.Plan()); })
      .function(
          "weightsBytes",
          +[](const ModelBuilder& b) { return double(b.weights_bytes()); })
      .function(
          "stateBytes",
          +[](const ModelBuilder& b) { return double(b.state_bytes()); })
      .function(
          "kvPageBytes",
          +[](const ModelBuilder& b) { return double(b.kv_page_bytes()); })
      .function(
          "scratchBytes",
          +[](const ModelBuilder& b) { return double(b.scratch_bytes()); })
      .function(
          "vocab", +[](const ModelBuilder& b) { return b.model().vocab(); })
      .function(
          "threads", +[](const ModelBuilder& b) { return b.model().threads(); })
      .function(
          "hasGuesses",
          +[](const ModelBuilder& b) {
            return b.model().guess_block() != nullptr;
          })
      .function(
          "contextLength",
          +[](const ModelBuilder& b) { return b.model().context_length(); })
      .function("wants", &ModelBuilder::Wants)
      .function(
          "rowBytes",
          +[](const ModelBuilder& b, int i) { return int(b.RowBytes(i)); })
      .function(
          "reserve", +[](ModelBuilder& b) { return StatusOf(b.Reserve()); })
      .function(
          "staging", +[](ModelBuilder& b) { return AddressOf(b.staging()); })
      .function(
          "append", +[](ModelBuilder& b, int tensor,
                        int rows) { return StatusOf(b.Append(tensor, rows)); })
      .function(
          "makePacked",
          +[](ModelBuilder& b) { return StatusOf(b.MakePacked()); })
      .function("packed", &PackedOf)
      .function(
          "fillPacked",
          +[](ModelBuilder& b, val fill) { b.FillPacked([&] { fill(); }); })
      .function("finishPacked", &ModelBuilder::FinishPacked)
      .function("draftBuilder", &MakeDraftBuilder)
      .function(
          "finish", +[](ModelBuilder& b, ModelHandle& handle) {
            Result<std::shared_ptr<Model>> model = b.Finish();
            if (!model.ok()) return model.error();
            handle.model = std::move(model.value());
            return Error{};
          });

  value_object<ProfileRow>("ProfileRow")
      .field("phase", &ProfileRow::phase)
      .field("name", &ProfileRow::name)
      .field("matrix", &ProfileRow::matrix)
      .field("format", &ProfileRow::format)
      .field("rows", &ProfileRow::rows)
      .field("columns", &ProfileRow::columns)
      .field("calls", &ProfileRow::calls)
      .field("ms", &ProfileRow::ms)
      .field("operations", &ProfileRow::operations)
      .field("weightBytes", &ProfileRow::weight_bytes);

  class_<ModelHandle>("Model")
      .constructor<>()
      .function("createSession", &MakeSession)
      .function("createDraft", &MakeDraft)
      .function(
          "draftBytes",
          +[](const ModelHandle& m) {
            return double(Draft::StateBytes(*m.model));
          })
      .function(
          "logitRows",
          +[](const ModelHandle& m) { return m.model->logit_rows(); })
      .function(
          "startProfile",
          +[](const ModelHandle& m) { m.model->StartProfile(); })
      .function("stopProfile", &StopProfile);

  class_<Checksum>("Checksum")
      .constructor<>()
      .function("add", &AddTo)
      .function("hex", &Checksum::Hex);
  emscripten::function("packedLayout", &PackedLayout);

  emscripten::constant("stagingBytes", int(kStagingBytes));
}

}  // namespace fastweights
