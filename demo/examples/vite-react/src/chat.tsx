// SPDX-License-Identifier: MIT
import type { Model } from 'fastweights';
import { useChat } from 'fastweights/react';
import { type FormEvent, useState } from 'react';
import { tell } from './tell.ts';

export function Chat({ model }: { model: Model }) {
  const [question, setQuestion] = useState('Write a story about a fox named Lily.');
  const { messages, busy, error, send, stop } = useChat(model, { temperature: 0.8 });
  const ask = (event: FormEvent) => {
    event.preventDefault();
    setQuestion('');
    void send(question);
  };
  return (
    <>
      {messages.map(({ role, content }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: messages are only ever added at the end
        <article key={place} className={role}>
          <strong>{role === 'user' ? 'You' : 'Model'}</strong> {content}
        </article>
      ))}
      <p role="status">{error ? tell(error) : busy ? 'Writing' : 'Ready.'}</p>
      <form onSubmit={ask}>
        <label htmlFor="question">What to write</label>
        <textarea
          id="question"
          rows={3}
          required
          value={question}
          onChange={({ target }) => setQuestion(target.value)}
        />
        <button type="submit" disabled={busy}>
          Write
        </button>
        <button type="button" disabled={!busy} onClick={stop}>
          Stop
        </button>
      </form>
    </>
  );
}
