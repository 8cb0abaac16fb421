// SPDX-License-Identifier: MIT

// The boundary to TypeScript: web/wasm/wasm.ts is its only caller.
// Addresses cross as numbers; nothing is allocated and one integer crosses per
// token.

#include <emscripten/bind.h>
#include <malloc.h>

#include <memory>
#include <string>
#include <vector>

#include "bindings/addresses.h"
#include "formats/self_check.h"
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

// Sessions of one model that draw together; whoever adds one keeps it.
struct Batch {
  std::vector<Session*> sessions;
  int tokens[kLogitRows];  // that each drew last

  Batch() { sessions.reserve(kLogitRows); }
  void Clear() { sessions.clear(); }
  void Add(Session& session) { sessions.push_back(&session); }
  unsigned Next() {
    Session::NextTogether(sessions, tokens);
    return AddressOf(tokens);
  }
};

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

std::unique_ptr<Session> MakeSession(const ModelHandle& handle) {
  return Session::Make(handle.model);
}

// Options, logit biases [count] (tokens and values) and the seed's two halves.
void ConfigureSampler(Session& session, const SamplerOptions& options,
                      unsigned bias_tokens, unsigned bias_values, int count) {
  Sampler& sampler = session.sampler();
  sampler.Configure(options);
  sampler.ClearBias();
  for (int i = 0; i < count; ++i) {
    sampler.AddBias(At<int>(bias_tokens)[i], At<float>(bias_values)[i]);
  }
}

void SeedSampler(Session& session, unsigned low, unsigned high) {
  session.sampler().Seed(static_cast<uint64_t>(high) << 32 | low);
}

// The generator of draws, in two halves.
val GeneratorOf(Session& session) {
  const uint64_t generator = session.sampler().generator();
  return val::array(
      std::vector<unsigned>{static_cast<unsigned>(generator),
                            static_cast<unsigned>(generator >> 32)});
}

// Bytes of heap that are in use, whatever the size of the memory.
double HeapInUse() { return static_cast<double>(mallinfo().uordblks); }

}  // namespace

EMSCRIPTEN_BINDINGS(fastweights) {
  using emscripten::class_;
  using emscripten::value_object;

  value_object<Error>("Status")
      .field("code", &Error::code)
      .field("subject", &Error::subject)
      .field("message", &Error::message);

  value_object<SamplerOptions>("SamplerOptions")
      .field("temperature", &SamplerOptions::temperature)
      .field("topK", &SamplerOptions::top_k)
      .field("topP", &SamplerOptions::top_p)
      .field("minP", &SamplerOptions::min_p)
      .field("repetitionPenalty", &SamplerOptions::repetition_penalty)
      .field("frequencyPenalty", &SamplerOptions::frequency_penalty)
      .field("presencePenalty", &SamplerOptions::presence_penalty)
      .field("penaltyWindow", &SamplerOptions::penalty_window);

  emscripten::enum_<MatrixForm>("MatrixForm")
      .value("stored", MatrixForm::kStored)
      .value("qc8", MatrixForm::kQc8);

  value_object<ModelOptions>("ModelOptions")
      .field("batchTokens", &ModelOptions::batch_tokens)
      .field("threads", &ModelOptions::threads)
      .field("weights", &ModelOptions::weights);

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
      .function(
          "logitRows",
          +[](const ModelHandle& m) { return m.model->logit_rows(); })
      .function(
          "startProfile",
          +[](const ModelHandle& m) { m.model->StartProfile(); })
      .function("stopProfile", &StopProfile);

  class_<Checkpoint>("Checkpoint").property("bytes", &Checkpoint::bytes);

  class_<Batch>("Batch")
      .constructor<>()
      .function("clear", &Batch::Clear)
      .function("add", &Batch::Add)
      .function("next", &Batch::Next);

  class_<Session>("Session")
      .function("clone", &Session::Clone)
      .function("reset", &Session::Reset)
      .function(
          "prefill",
          +[](Session& s, unsigned ids, int count, bool want_logits) {
            return s.Prefill(At<int>(ids), count, want_logits);
          })
      .function(
          "evaluate",
          +[](Session& s, unsigned ids, int count) {
            return AddressOf(s.Evaluate(At<int>(ids), count));
          })
      .function(
          "score", +[](Session& s, unsigned ids, int count,
                       int next) { return s.Score(At<int>(ids), count, next); })
      .function(
          "logits", +[](Session& s) { return AddressOf(s.logits()); })
      .function("logProbability", &Session::LogProbability)
      .function(
          "mostLikely",
          +[](const Session& s, int count, unsigned tokens) {
            s.MostLikely(count, At<int>(tokens));
          })
      .function("configureSampler", &ConfigureSampler)
      .function("seedSampler", &SeedSampler)
      .function("generator", &GeneratorOf)
      .function(
          "history",
          +[](Session& s, unsigned tokens) {
            return s.sampler().History(At<int>(tokens));
          })
      .function(
          "setHistory",
          +[](Session& s, int count, unsigned tokens) {
            s.sampler().SetHistory(count, At<int>(tokens));
          })
      .function("mark", &Session::Mark)
      .function("rewind", &Session::Rewind)
      .function("restore", &Session::Restore)
      .function(
          "state", +[](const Session& s) { return AddressOf(s.state()); })
      .function(
          "stateFloats",
          +[](const Session& s) { return double(s.model().state_floats()); })
      .function("pages", &Session::pages)
      .function(
          "page", +[](const Session& s, int i) { return AddressOf(s.page(i)); })
      .function(
          "pageFloats",
          +[](const Session& s) { return double(s.model().page_floats()); })
      .function("pending", &Session::pending)
      .function("undraw", &Session::Undraw)
      .function("hasLogits", &Session::has_logits)
      .function(
          "restrict",
          +[](Session& s) { return AddressOf(s.sampler().Restrict()); })
      .function("position", &Session::position)
      .function(
          "kvBytes", +[](const Session& s) { return double(s.kv_bytes()); });

  emscripten::constant("stagingBytes", int(kStagingBytes));
  emscripten::constant("historyTokens", Sampler::kHistory);
  emscripten::constant("pageTokens", kPageTokens);
  emscripten::function("heapInUse", &HeapInUse);
  emscripten::function("productsAreExact", &ProductsAreExact);
}

}  // namespace fastweights
