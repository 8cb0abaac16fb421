// SPDX-License-Identifier: MIT

const STORIES = {
  continue: [
    'Once upon a time',
    'One winter morning, a little robot named Pip',
    'The old lighthouse keeper had a secret.',
    'Deep in the forest, two friends',
  ],
  ask: [
    'Write a story about a brave fox named Lily. Use the words lamp, river and brave.',
    'Tell me a bedtime story.',
    'Write a story about a mouse named Oliver. Use the words cheese, moon and boat.',
  ],
};

// A model of one's own may know more than stories.
const ANYTHING = {
  continue: ['Once upon a time', 'The sea is blue because', 'A recipe for bread:'],
  ask: ['Tell me a short story.', 'Why is the sky blue?', 'Write a poem about rain.'],
};

const LABELS = {
  stories: { ask: 'Ask for a story', continue: 'The beginning of a story' },
  anything: { ask: 'Ask', continue: 'The beginning of a text' },
};

/** @param {boolean} embedded whether the page's own model runs */
export function examplesFor(embedded) {
  return {
    prompts: embedded ? STORIES : ANYTHING,
    askLabel: (embedded ? LABELS.stories : LABELS.anything).ask,
    continueLabel: (embedded ? LABELS.stories : LABELS.anything).continue,
  };
}
