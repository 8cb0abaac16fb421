// SPDX-License-Identifier: MIT
// Asks by a port of its own for each question; the same button closes it.

/** @type {<Kind extends HTMLElement>(id: string) => Kind} */
const element = (id) => /** @type {any} */ (document.getElementById(id));
const [answer, note, send] = ['answer', 'note', 'send'].map((id) => element(id));

/** @type {chrome.Port | undefined} */
let asking;

element('ask').addEventListener('submit', (event) => {
  event.preventDefault();
  if (asking) asking.disconnect();
  if (asking) ended('Stopped.');
  else ask(/** @type {HTMLTextAreaElement} */ (element('prompt')).value);
});

/** @param {string} prompt */
function ask(prompt) {
  answer.textContent = '';
  note.textContent = '…';
  send.textContent = 'Stop';
  const port = chrome.runtime.connect({ name: 'panel' });
  asking = port;
  port.onMessage.addListener(({ loaded, piece, end, failure }) => {
    if (loaded !== undefined) note.textContent = `Loading: ${(loaded / 1e6).toFixed(1)} MB`;
    else if (piece !== undefined) answer.append(piece);
    else ended(end ?? failure);
  });
  port.onDisconnect.addListener(() => ended('The extension has been stopped.'));
  port.postMessage({ prompt });
}

/** @param {string} why */
function ended(why) {
  if (!asking) return;
  asking = undefined;
  note.textContent = why;
  send.textContent = 'Write';
}
