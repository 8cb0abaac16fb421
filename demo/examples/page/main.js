// SPDX-License-Identifier: MIT
import { loadModel } from 'fastweights';

/** @type {(id: string) => any} */
const element = (id) => document.getElementById(id);
const [ask, question, write, stop] = ['ask', 'question', 'write', 'stop'].map(element);
const [progress, note, answer] = ['progress', 'note', 'answer'].map(element);

/** @type {import('fastweights').Session | undefined} one conversation: each question knows the last */
let session;
/** @type {AbortController | undefined} ends the load or the answer, whichever is under way */
let asking;

/** @param {AbortSignal} signal */
async function openSession(signal) {
  note.textContent = 'Loading the model';
  progress.hidden = false;
  try {
    const model = await loadModel(new URL('model.gguf', import.meta.url), {
      signal,
      cache: true,
      onProgress({ loaded, total }) {
        if (total) progress.value = loaded / total;
        note.textContent = `Loading the model: ${(loaded / 1e6).toFixed(1)} MB`;
      },
    });
    return await model.createSession({ temperature: 0.8 });
  } finally {
    progress.hidden = true;
  }
}

ask.addEventListener('submit', async (/** @type {Event} */ event) => {
  event.preventDefault();
  asking = new AbortController();
  const { signal } = asking;
  write.disabled = true;
  stop.disabled = false;
  answer.textContent = '';
  try {
    session ??= await openSession(signal);
    note.textContent = 'Writing';
    for await (const piece of session.promptStreaming(question.value, { signal })) {
      answer.append(piece);
    }
    note.textContent = `Written: ${session.stats?.tokens.length} tokens.`;
  } catch (error) {
    note.textContent = signal.aborted ? 'Stopped.' : tell(error);
  } finally {
    write.disabled = false;
    stop.disabled = true;
  }
});

stop.addEventListener('click', () => asking?.abort());

/**
 * An error with what is under it, which often says more.
 *
 * @param {any} error
 * @returns {string}
 */
function tell({ name, code, message, cause }) {
  const own = `${name}${code ? ` (${code})` : ''}: ${message}`;
  return cause ? `${own}\n${tell(cause)}` : own;
}
