// SPDX-License-Identifier: MIT
import { element } from './element.js';

const ENDS = {
  stop: 'ended by itself',
  length: 'reached the token limit',
  cancelled: 'stopped',
};

/** The texts written so far, newest first. */
export class Texts {
  #section = element('texts');
  #announcer = element('announcer');
  #onSeed;

  /** @param {(seed: string) => void} onSeed called when somebody wants a text's seed again */
  constructor(onSeed) {
    this.#onSeed = onSeed;
  }

  /**
   * A new text, empty but for its prompt.
   * @param {import('./writing.js').Request} request
   */
  begin({ mode, prompt }) {
    const article = document.createElement('article');
    const body = document.createElement('p');
    const given = document.createElement(mode === 'ask' ? 'p' : 'span');
    const written = document.createElement('span');
    given.className = 'given';
    given.textContent = prompt;
    written.className = 'written';
    body.className = 'body';
    if (mode === 'ask') article.append(given);
    else body.append(given);
    body.append(written);
    article.append(body);
    article.setAttribute('aria-busy', 'true');
    element('empty').hidden = true;
    this.#section.prepend(article);
    this.#bringIntoView(article);
    return new Text(article, written, this.#announcer, this.#onSeed);
  }

  // On narrow screens the texts are below everything else.
  /** @param {HTMLElement} article */
  #bringIntoView(article) {
    if (matchMedia('(min-width: 64rem)').matches) return;
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    article.scrollIntoView({ block: 'start', behavior: calm ? 'instant' : 'smooth' });
  }
}

class Text {
  #article;
  #written = document.createTextNode('');
  #announcer;
  #onSeed;
  #unsaid = '';

  /**
   * @param {HTMLElement} article
   * @param {HTMLElement} place where its written part begins
   * @param {HTMLElement} announcer
   * @param {(seed: string) => void} onSeed
   */
  constructor(article, place, announcer, onSeed) {
    this.#article = article;
    this.#announcer = announcer;
    this.#onSeed = onSeed;
    place.append(this.#written);
  }

  /** @param {string} piece */
  add(piece) {
    this.#written.appendData(piece);
    this.#unsaid += piece;
    // Screen readers get whole paragraphs: token by token they would stumble.
    const end = this.#unsaid.lastIndexOf('\n');
    if (end < 0) return;
    this.#announce(this.#unsaid.slice(0, end));
    this.#unsaid = this.#unsaid.slice(end + 1);
  }

  /** @param {import('fastweights').GenerationResult | undefined} result undefined: it was stopped before it began */
  finish(result) {
    this.#article.removeAttribute('aria-busy');
    if (!result) {
      this.#note('stopped while the prompt was read');
      this.#announce('Stopped');
      return;
    }
    const { tokens, seed, finishReason, timings } = result;
    const rate = tokens.length > 1 ? `, ${timings.decodeTokensPerSecond.toFixed(0)} a second` : '';
    const note = this.#note(`${tokens.length} tokens${rate}, ${ENDS[finishReason]}. Seed `);
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'link seed';
    button.textContent = String(seed);
    button.title = 'Write with this seed again';
    button.addEventListener('click', () => this.#onSeed(String(seed)));
    note.append(button);
    this.#announce(`${this.#unsaid} (${tokens.length} tokens, ${ENDS[finishReason]})`);
  }

  /** An error ended it; the notice above says which. */
  fail() {
    this.#article.removeAttribute('aria-busy');
    this.#note('broken off by an error');
  }

  /** @param {string} text */
  #note(text) {
    const note = document.createElement('p');
    note.className = 'aside note';
    note.textContent = text;
    this.#article.append(note);
    return note;
  }

  /** @param {string} text */
  #announce(text) {
    if (text.trim() !== '') this.#announcer.textContent = text.trim();
  }
}
