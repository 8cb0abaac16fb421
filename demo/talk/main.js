// SPDX-License-Identifier: MIT
import { element } from '../element.js';
import { ANY_EXAMPLES, EMBEDDED, TEXT_EXAMPLES } from '../embedded.js';
import { explain, FailureNotice } from '../failures.js';
import { listenForFiles } from '../files.js';
import { watch } from '../how/watch.js';
import { ModelLoading } from '../loading.js';
import { sizeOf } from '../size.js';
import { Announcing } from './announcing.js';
import { Composer } from './composer.js';
import { beginning, costOfBeginning, costOfWriting } from './cost-words.js';
import { Figures } from './figures.js';
import { handedModel } from './handed-model.js';
import { Keeping } from './keeping.js';
import { Remembers } from './remembers.js';
import { readTalk } from './saved-talk.js';
import { PLACES, Talk } from './talk.js';
import { Transcript } from './transcript.js';
import { TreeView } from './tree-view.js';

/**
 * @import { Wish } from './composer.js'
 * @import { KeptModel } from './handed-model.js'
 * @import { SavedTalk } from './saved-talk.js'
 * @import { Turn } from './tree.js'
 */

const loading = new ModelLoading();
const failure = new FailureNotice();
const figures = new Figures();
const announcing = new Announcing();
const composer = new Composer(ask);
const transcript = new Transcript({
  goOn: (answer, pieces, count) => {
    const forks = Array.from({ length: count }, () => talk?.tree.fork(answer, pieces));
    begin(forks.filter((fork) => fork !== undefined));
  },
  again: (question, count) => answer(question, '', count),
  edit: showEditing,
  goTo,
  takeSeed: (seed) => composer.takeSeed(seed),
});
const branches = new TreeView(goTo);
const remembers = new Remembers({
  talk: () => talk,
  isWriting: () => writing !== undefined,
  onMillion: (result) => figures.finish(result),
  onFailure: (error) => failure.show(error),
});
const keeping = new Keeping({
  talk: () => talk,
  embedded: () => loading.embedded,
  onForgotten: startOver,
  onFailure: (error) => failure.show(error),
});

/** @type {Talk | undefined} */
let talk;
/** @type {ReturnType<Talk['writing']> | undefined} */
let writing;
let finished = Promise.resolve();
/** The question that the next one stands in for. @type {Turn | undefined} */
let edited;
/** What the chart of its memory is about. @type {Turn | undefined} */
let shown;
/** The model that this page was opened for, if not the site's own. */
let handed = handedModel();

/** @param {File | KeptModel} [given] a model, or a conversation that was saved; the site's own model if none */
async function open(given) {
  failure.clear();
  try {
    const saved = given instanceof File && (await readTalk(given));
    writing?.stop();
    await finished;
    if (!saved) await openModel(given);
    else if (loading.model || (await openModel())) await openTalk(saved);
  } catch (error) {
    failure.show(error);
    if (handed && given === handed && explain(error).code === 'not_found') leaveHanded();
  } finally {
    showState();
  }
}

/** @param {File | KeptModel} [given] */
async function openModel(given) {
  const loaded = loading.load(given);
  showState();
  if (!(await loaded) || !loading.model) return false;
  const { model, embedded } = loading;
  figures.start(model, await model.memory());
  remembers.start(model);
  const { talk: resumed, problem } = await keeping.resume(model);
  talk = resumed;
  const { facts } = model;
  const name = given?.name ?? facts.name ?? EMBEDDED.title;
  element('model-line').textContent =
    `${name} is running: ${facts.architecture}, ${facts.layerCount} layers, ` +
    `${sizeOf(facts.weightsBytes)} of weights, a state of ${sizeOf(facts.stateBytes)}.`;
  element('model-line').hidden = false;
  const examples = embedded ? EMBEDDED.examples : ANY_EXAMPLES;
  composer.start(
    talk.held ? examples : TEXT_EXAMPLES,
    talk.held ? 'Your message' : 'The beginning of a text',
    talk.tree.root.children.length === 0,
  );
  if (problem) failure.show(problem);
  show();
  return true;
}

/** Adds the branches of a saved conversation to those that there are. @param {SavedTalk} saved */
async function openTalk({ tree, session, model: name, embedded }) {
  const { model } = loading;
  if (!model || !talk) return;
  if (name !== undefined && embedded === false && loading.embedded) {
    throw new TypeError(`this conversation was with ${name}: open that model's file first`);
  }
  const restored = session && talk.held && (await model.restore(session, PLACES));
  if (tree) talk.tree.merge(tree);
  else talk.tree.current = talk.tree.root;
  if (restored) await talk.adopt(restored);
  show();
  await keeping.keep();
}

async function startOver() {
  if (!loading.model) return;
  writing?.stop();
  await finished;
  talk?.end();
  talk = await Talk.begin(loading.model);
  remembers.start(loading.model);
  show();
}

/** Shows where the conversation stands. */
function show() {
  if (!talk) return;
  const { tree, held } = talk;
  const { current } = tree;
  const isAsked = current !== tree.root && current.role !== 'assistant';
  transcript.show(
    current,
    isAsked && current.children.length > 1 ? current.children.slice(-4) : [],
  );
  branches.show(tree, held);
  composer.showExamples(current === tree.root);
  const session = held?.get(current);
  if (session && !writing && shown !== current) remembers.show(session);
  shown = current;
  showState();
}

// What can be pressed now.
function showState() {
  const { busy, embedded, model } = loading;
  const isReady = model !== undefined && talk !== undefined;
  element('opening').hidden = busy;
  element('opening').classList.toggle('started', embedded && isReady);
  element('desk').hidden = !isReady;
  element('main').classList.toggle('ready', isReady);
  element('main').classList.toggle('writing', writing !== undefined);
  for (const id of ['write', 'four']) {
    element(id, HTMLButtonElement).disabled = busy || writing !== undefined;
  }
  element('stop', HTMLButtonElement).disabled = writing === undefined;
}

/** @param {Turn} turn */
function goTo(turn) {
  if (!talk) return;
  showEditing(undefined);
  talk.tree.current = turn;
  show();
  keeping.keepSoon();
}

/** @param {Turn | undefined} question which the next message is to stand in for */
function showEditing(question) {
  edited = question;
  element('editing').hidden = question === undefined;
  if (!question) return;
  element('edited').textContent = beginning(question);
  composer.fill({ ask: question.text });
}

/** @param {Wish} wish */
function ask({ text, begin: start, count, options }) {
  if (writing || !talk) return;
  const { tree } = talk;
  const question = tree.ask(edited?.parent ?? tree.end, text);
  showEditing(undefined);
  composer.clear();
  answer(question, start, count, options);
}

/** @type {(question: Turn, start: string, count: number, options?: Wish['options']) => void} */
function answer(question, start, count, options = composer.options) {
  const tree = talk?.tree;
  if (writing || !tree) return;
  begin(
    Array.from({ length: count }, () => tree.add(question, 'assistant', start)),
    options,
  );
}

/** @type {(answers: Turn[], options?: Wish['options']) => void} */
function begin(answers, options = composer.options) {
  if (writing || loading.busy || answers.length === 0) return;
  finished = write(answers, options);
}

/** @type {(answers: Turn[], options: Wish['options']) => Promise<void>} */
async function write(answers, options) {
  const question = answers[0].parent;
  if (!talk || !question) return;
  failure.clear();
  const { tree } = talk;
  const now = talk.writing({ question, answers, options });
  writing = now;
  for (const turn of answers) turn.busy = true;
  tree.current = answers.length === 1 ? answers[0] : question;
  show();
  transcript.reveal(answers[0]);
  let pieces = 0;
  let firstAt = 0;
  let begun = 0;
  let endPicture = async () => {};
  void remembers.watch({
    tokens: () => (pieces > 0 ? begun + pieces / answers.length : 0),
    isOver: () => writing !== now,
    texts: answers.length,
  });
  try {
    await now.run({
      onBegin: (tokens, session) => {
        begun = tokens;
        if (session) endPicture = watch(session, element('state-picture'));
      },
      onRead: ({ tokens, total }) =>
        showReading(total > 200 ? `Reading: ${tokens} of ${total} tokens` : ''),
      onPiece: (turn, piece) => {
        const at = performance.now();
        if (pieces++ === 0) firstAt = at;
        if (pieces === 1) showReading('');
        transcript.grow(turn);
        if (answers.length === 1) announcing.add(piece);
        figures.live(pieces, pieces > 1 ? (1000 * (pieces - 1)) / (at - firstAt) : undefined);
        transcript.follow(turn);
      },
      onEnd: (turn, result) => {
        turn.busy = false;
        figures.finish(result);
        remembers.finish(begun + result.tokens.length, result.memory);
        transcript.update(turn);
        transcript.follow(turn);
        const { cost } = turn;
        if (cost) announcing.finish([...costOfWriting(cost), ...costOfBeginning(cost)].join(', '));
      },
    });
  } catch (error) {
    failure.show(error);
    if (explain(error).code === 'worker') {
      loading.forget();
      remembers.end();
      talk = undefined;
    }
  } finally {
    void endPicture();
    writing = undefined;
    showReading('');
    settle(question, answers);
    show();
    showState();
  }
  await keeping.keep();
}

// What came to nothing is no branch; a question without an answer goes back to where it was written.
/** @type {(question: Turn, answers: Turn[]) => void} */
function settle(question, answers) {
  if (!talk) return;
  for (const turn of answers) {
    turn.busy = false;
    const { ends, text, lead, given, cost } = turn;
    const wrote = (ends.at(-1) ?? lead) > given || text.length > given;
    if (!wrote && cost?.tokens === undefined) talk.tree.remove(turn);
  }
  if (question.children.length > 0) return;
  talk.tree.remove(question);
  composer.fill({ ask: question.text });
}

/** What the first button does. */
function showStart() {
  element('start').textContent = handed
    ? `Start ${handed.name}`
    : keeping.isKept
      ? 'Go on where you left off'
      : 'Start';
  element('kept-note').hidden = handed === undefined;
  element('start-note').hidden = handed !== undefined;
  element('own-limits').hidden = handed !== undefined;
}

// The model that this page was opened for is not here any more: the site's own is.
function leaveHanded() {
  handed = undefined;
  history.replaceState(null, '', location.pathname);
  showStart();
}

/** @param {string} words */
function showReading(words) {
  element('reading').textContent = words;
  element('reading').hidden = words === '';
}

addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return;
  writing?.stop();
  loading.cancel();
});
element('stop').addEventListener('click', () => writing?.stop());
element('start').addEventListener('click', () => open(handed));
element('leave-editing').addEventListener('click', () => showEditing(undefined));
element('open-talk').addEventListener('click', () => element('file').click());
element('start-size').textContent = sizeOf(EMBEDDED.bytes);
element('about').textContent = EMBEDDED.about;
showStart();
listenForFiles((file) => open(file));
