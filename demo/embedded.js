// SPDX-License-Identifier: MIT
// The site's own model: where it is, how large, and what is said of it. Whatever else a page says of
// a model comes from its file.

export const EMBEDDED = {
  url: new URL('./models/story-51m-q4_0.gguf', import.meta.url),
  bytes: 31_972_256,
  /** What it is called in sentences. */
  title: 'the story model',
  about:
    'It was trained from scratch for this site, on made-up tales and old books. It tells children’s ' +
    'stories, and answers questions on a short text, of which it gets three in four right: it says the ' +
    'sentence it goes by. Of the world it knows nothing.',
  /** What to begin with: a question, or a question with the beginning of its answer. */
  examples: [
    { ask: 'Write a story about a brave fox named Lily. Use the words lamp, river and brave.' },
    { ask: 'Tell me a bedtime story.' },
    { ask: 'Tell me a story.', begin: 'One winter morning, a little robot named Pip' },
    {
      ask:
        'Pip the robot lived in a lighthouse. One night the lamp broke, so he held up a red lantern, ' +
        'and a fisherman named Otto found his way home.\n\nWho found his way home?',
    },
  ],
};

/** For a model of which nothing is known. */
export const ANY_EXAMPLES = [
  { ask: 'Tell me a short story.' },
  { ask: 'Why is the sky blue?' },
  { ask: 'Write a poem about rain.' },
  { ask: 'What shall I cook tonight?', begin: 'How about' },
];

/** For a model that only goes on with texts. */
export const TEXT_EXAMPLES = [
  { ask: 'Once upon a time' },
  { ask: 'The sea is blue because' },
  { ask: 'A recipe for bread:' },
];
