// SPDX-License-Identifier: MIT

// llama-cpp BACKENDS MODEL IDS OUTPUT: the logits of llama.cpp's context for
// multi-token prediction after each beginning of a text and the model's own
// likeliest token after that, as raw float32 [ids, vocab]. llama-cpp.mjs builds
// it.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "ggml-backend.h"
#include "llama-ext.h"
#include "llama.h"

namespace {

llama_context* MakeContext(llama_model* model, llama_context_type type,
                           llama_context* other, int tokens) {
  llama_context_params params = llama_context_default_params();
  params.n_ctx = params.n_batch = params.n_ubatch = params.n_outputs_max =
      tokens;
  params.n_threads = params.n_threads_batch = 1;
  params.ctx_type = type;
  params.ctx_other = other;
  // Otherwise keys and values are rounded to 16 bits.
  params.flash_attn_type = LLAMA_FLASH_ATTN_TYPE_DISABLED;
  params.type_k = params.type_v = GGML_TYPE_F32;
  return llama_init_from_model(model, params);
}

void Add(llama_batch& batch, int id, int position, bool wanted) {
  const int i = batch.n_tokens++;
  batch.token[i] = id;
  batch.pos[i] = position;
  batch.n_seq_id[i] = 1;
  batch.seq_id[i][0] = 0;
  batch.logits[i] = wanted;
}

std::vector<int> Numbers(char* text) {
  std::vector<int> numbers;
  while (*text) {
    numbers.push_back(static_cast<int>(std::strtol(text, &text, 10)));
    if (*text == ',') ++text;
  }
  return numbers;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  ggml_backend_load_all_from_path(argv[1]);
  llama_model_params params = llama_model_default_params();
  params.load_mtp = true;
  params.use_extra_bufts = false;
  llama_model* model = llama_model_load_from_file(argv[2], params);
  if (!model) return 1;
  const std::vector<int> ids = Numbers(argv[3]);
  const int count = ids.size(), room = count + 8;
  const int dim = llama_model_n_embd(model);
  const int vocab = llama_vocab_n_tokens(llama_model_get_vocab(model));

  llama_context* text =
      MakeContext(model, LLAMA_CONTEXT_TYPE_DEFAULT, nullptr, room);
  llama_context* guesses =
      MakeContext(model, LLAMA_CONTEXT_TYPE_MTP, text, room);
  if (!text || !guesses) return 1;
  llama_set_embeddings_nextn(text, true, false);
  llama_batch batch = llama_batch_init(room, 0, 1);
  for (int i = 0; i < count; ++i) Add(batch, ids[i], i, true);
  if (llama_decode(text, batch) != 0) return 1;
  std::vector<float> hidden;
  std::vector<int> likeliest;
  for (int i = 0; i < count; ++i) {
    const float* logits = llama_get_logits_ith(text, i);
    likeliest.push_back(std::max_element(logits, logits + vocab) - logits);
    const float* of_token = llama_get_embeddings_nextn_ith(text, i);
    hidden.insert(hidden.end(), of_token, of_token + dim);
  }

  std::FILE* output = std::fopen(argv[4], "wb");
  if (!output) return 1;
  for (int n = 1; n <= count; ++n) {
    llama_memory_clear(llama_get_memory(guesses), true);
    // Each token's hidden state stands beside the token that follows it.
    batch.n_tokens = 0;
    batch.embd = hidden.data();
    for (int i = 0; i < n; ++i) {
      const bool is_last = i + 1 == n;
      Add(batch, is_last ? likeliest[i] : ids[i + 1], i + 1, is_last);
    }
    if (llama_decode(guesses, batch) != 0) return 1;
    const float* logits = llama_get_logits_ith(guesses, n - 1);
    std::fwrite(logits, sizeof(float), vocab, output);
  }
  return std::fclose(output) == 0 ? 0 : 1;
}
