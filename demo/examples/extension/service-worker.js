// SPDX-License-Identifier: MIT
// Passes on what the panel asks and what the model answers. The model itself is in an offscreen
// document: Chromium ends this worker when it has been idle for half a minute, and it may start none.

void chrome.sidePanel.setPanelBehavior({ openPanelOnActionClick: true });

chrome.runtime.onConnect.addListener((panel) => {
  if (panel.name !== 'panel') return;
  const opening = openModel(panel);
  panel.onMessage.addListener(async (question) => (await opening).postMessage(question));
  panel.onDisconnect.addListener(async () => (await opening).disconnect());
});

/**
 * A port to the offscreen document, for one question.
 *
 * @param {chrome.Port} panel
 */
async function openModel(panel) {
  await ensureOffscreen();
  const model = chrome.runtime.connect({ name: 'model' });
  model.onMessage.addListener((said) => panel.postMessage(said));
  model.onDisconnect.addListener(() => panel.disconnect());
  return model;
}

/** @type {Promise<void> | undefined} */
let making;

async function ensureOffscreen() {
  if (await chrome.offscreen.hasDocument()) return;
  making ??= chrome.offscreen
    .createDocument({
      url: 'offscreen.html',
      reasons: ['WORKERS'],
      justification: 'A language model writes in a worker.',
    })
    .finally(() => {
      making = undefined;
    });
  await making;
}
