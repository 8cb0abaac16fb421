// SPDX-License-Identifier: MIT
'use client';

import { useModel } from 'fastweights/react';
import { useState } from 'react';
import { tell } from './tell.js';

const kModel = '/model.gguf';

/** Loads where it is asked to; an attempt that has failed is begun again by a new key. */
export function Writer() {
  const [attempt, setAttempt] = useState(0);
  if (attempt > 0) {
    return (
      <Loading key={attempt} again={() => setAttempt(attempt + 1)} leave={() => setAttempt(0)} />
    );
  }
  return (
    <button type="button" onClick={() => setAttempt(1)}>
      Load the model
    </button>
  );
}

/** @param {{ again(): void, leave(): void }} props */
function Loading({ again, leave }) {
  const { model, progress, error } = useModel(kModel, { cache: true });
  if (model) return <Text model={model} />;
  const { loaded, total } = progress ?? { loaded: 0 };
  return (
    <>
      {!error && <progress aria-label="Loading the model" value={total && loaded / total} />}
      <p role="status">{error ? tell(error) : `Loading: ${(loaded / 1e6).toFixed(1)} MB`}</p>
      <button type="button" onClick={error ? again : leave}>
        {error ? 'Try again' : 'Stop'}
      </button>
    </>
  );
}

/** @param {{ model: import('fastweights').Model }} props */
function Text({ model }) {
  const [text, setText] = useState('Once upon a time');
  const [note, setNote] = useState('Ready.');
  const [writing, setWriting] = useState(/** @type {AbortController | undefined} */ (undefined));

  async function writeOn() {
    const aborter = new AbortController();
    const { signal } = aborter;
    setWriting(aborter);
    setNote('Writing');
    try {
      for await (const piece of model.generate(text, { signal, maxTokens: 200 })) {
        setText((before) => before + piece);
      }
      setNote('Ready.');
    } catch (error) {
      setNote(signal.aborted ? 'Stopped.' : tell(error));
    }
    setWriting(undefined);
  }

  return (
    <>
      <label htmlFor="text">A text, and how it goes on</label>
      <textarea
        id="text"
        rows={12}
        value={text}
        readOnly={writing !== undefined}
        onChange={({ target }) => setText(target.value)}
      />
      <button type="button" disabled={writing !== undefined} onClick={writeOn}>
        Write
      </button>
      <button type="button" disabled={!writing} onClick={() => writing?.abort()}>
        Stop
      </button>
      <p role="status">{note}</p>
    </>
  );
}
