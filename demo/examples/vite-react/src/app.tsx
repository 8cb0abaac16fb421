// SPDX-License-Identifier: MIT
import { useModel } from 'fastweights/react';
import { useState } from 'react';
import { Chat } from './chat.tsx';
import { tell } from './tell.ts';

const kModel = new URL('model.gguf', document.baseURI);

/** The model on its way, and then the chat. A load that has failed is begun again by a new key. */
export function App() {
  const [attempt, setAttempt] = useState(1);
  return (
    <>
      <h1>A chat</h1>
      {attempt > 0 && (
        <Loading key={attempt} again={() => setAttempt(attempt + 1)} leave={() => setAttempt(0)} />
      )}
      {attempt === 0 && (
        <button type="button" onClick={() => setAttempt(1)}>
          Load the model
        </button>
      )}
    </>
  );
}

function Loading({ again, leave }: { again: () => void; leave: () => void }) {
  const { model, progress, error } = useModel(kModel, { cache: true });
  if (model) return <Chat model={model} />;
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
