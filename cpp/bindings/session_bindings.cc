// SPDX-License-Identifier: MIT

// What runs: Session, the Batch of sessions that draw together, and the sampler
// that each holds. One integer crosses per token; logits stay in the heap.

#include <emscripten/bind.h>

#include <vector>

#include "bindings/addresses.h"
#include "kernels/finite.h"
#include "runtime/draft.h"
#include "runtime/session.h"

namespace fastweights {
namespace {

using emscripten::val;

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

}  // namespace

EMSCRIPTEN_BINDINGS(fastweights_session) {
  using emscripten::class_;
  using emscripten::value_object;

  value_object<SamplerOptions>("SamplerOptions")
      .field("temperature", &SamplerOptions::temperature)
      .field("topK", &SamplerOptions::top_k)
      .field("topP", &SamplerOptions::top_p)
      .field("minP", &SamplerOptions::min_p)
      .field("repetitionPenalty", &SamplerOptions::repetition_penalty)
      .field("frequencyPenalty", &SamplerOptions::frequency_penalty)
      .field("presencePenalty", &SamplerOptions::presence_penalty)
      .field("penaltyWindow", &SamplerOptions::penalty_window);

  class_<Checkpoint>("Checkpoint").property("bytes", &Checkpoint::bytes);

  class_<Trail>("Trail")
      .smart_ptr<std::shared_ptr<Trail>>("Trail")
      .property(
          "start", +[](const Trail& t) { return t.start->position; })
      .property(
          "steps", +[](const Trail& t) { return int(t.steps.size()); })
      .property(
          "bytes", +[](const Trail& t) { return double(t.bytes()); })
      .function("thin", &Trail::Thin);

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
      .function("reserveGuesses", &Session::ReserveGuesses)
      .function(
          "guess",
          +[](Session& s, int count, unsigned allowed, unsigned guesses) {
            return s.Guess(count, allowed ? At<uint32_t>(allowed) : nullptr,
                           At<int>(guesses));
          })
      .function(
          "readGuesses",
          +[](Session& s, unsigned guesses, int count, unsigned decided) {
            return s.ReadGuesses(At<int>(guesses), count, decided);
          })
      .function("drawGuess", &Session::DrawGuess)
      .function("endGuesses", &Session::EndGuesses)
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
      .function("logTotal", &Session::LogTotal)
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
      .function("leaveTrail", &Session::LeaveTrail)
      .function("endTrail", &Session::EndTrail)
      .function("goAlong", &Session::GoAlong)
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
          "kv",
          +[](const Session& s) {
            constexpr const char* kNames[] = {"f32", "bf16", "int8"};
            return std::string(kNames[static_cast<int>(s.model().kv())]);
          })
      .function(
          "trailBytes",
          +[](const Session& s, int steps) {
            return double(Session::TrailBytes(s.model(), steps));
          })
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

  class_<Draft>("Draft")
      .function("clone", &Draft::Clone)
      .function(
          "read", +[](Draft& d, unsigned ids,
                      int count) { return d.Read(At<int>(ids), count); })
      .function(
          "guess",
          +[](Draft& d, unsigned ids, int count, int most, float least,
              unsigned allowed, unsigned guesses) {
            return d.Guess(At<int>(ids), count, most, least,
                           allowed ? At<uint32_t>(allowed) : nullptr,
                           At<int>(guesses));
          })
      .function("mark", &Draft::Mark)
      .function("rewind", &Draft::Rewind)
      .function("reset", &Draft::Reset)
      .function("position", &Draft::position)
      .function(
          "kvBytes", +[](const Draft& d) { return double(d.kv_bytes()); });

  emscripten::function(
      "allFinite", +[](unsigned floats, int count) {
        return AllFinite(count, At<float>(floats));
      });
  emscripten::constant("historyTokens", Sampler::kHistory);
  emscripten::constant("mostGuesses", kMostGuesses);
  emscripten::constant("pageTokens", kPageTokens);
}

}  // namespace fastweights
