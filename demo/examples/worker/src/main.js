// SPDX-License-Identifier: MIT

/** @type {(id: string) => any} */
const element = (id) => document.getElementById(id);
const [ask, beginnings, write, stop] = ['ask', 'beginnings', 'write', 'stop'].map(element);
const [progress, note, texts] = ['progress', 'note', 'texts'].map(element);

const worker = new Worker(new URL('./writer.js', import.meta.url), { type: 'module' });

ask.addEventListener('submit', (/** @type {Event} */ event) => {
  event.preventDefault();
  const lines = beginnings.value.split('\n').filter((/** @type {string} */ line) => line.trim());
  const articles = lines.map((/** @type {string} */ line) => {
    const article = document.createElement('article');
    article.textContent = line;
    return article;
  });
  texts.replaceChildren(...articles);
  note.textContent = 'Writing';
  setBusy(true);
  worker.postMessage(lines);
});
stop.addEventListener('click', () => worker.postMessage(undefined));

worker.addEventListener('message', ({ data: { place, piece, loaded, total, end } }) => {
  progress.hidden = loaded === undefined || loaded === total;
  if (loaded !== undefined) {
    if (total) progress.value = loaded / total;
    note.textContent = `Loading the model: ${(loaded / 1e6).toFixed(1)} MB`;
  } else if (end !== undefined) {
    note.textContent = end;
    setBusy(false);
  } else {
    note.textContent = 'Writing';
    texts.children[place].append(piece);
  }
});
worker.addEventListener('error', ({ message }) => {
  note.textContent = `The worker could not run: ${message ?? 'its file did not load'}`;
  setBusy(false);
});

/** @param {boolean} busy */
function setBusy(busy) {
  write.disabled = busy;
  stop.disabled = !busy;
}
