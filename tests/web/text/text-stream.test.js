// SPDX-License-Identifier: MIT
import { TextStream } from '../../../build/web/text/text-stream.js';
import { randomNumbers } from '../../support/byte-level.js';
import { leastCpuTimes } from '../../support/cpu-time.js';

const CONTROL = -1;

/** A tokenizer whose ids are indices into `pieces`; -1 is a control token. */
const over = (pieces) => ({
  bytes: (id) => (id === CONTROL ? new TextEncoder().encode('<|end|>') : pieces[id]),
  isControl: (id) => id === CONTROL,
});
const utf8 = (text) => new TextEncoder().encode(text);

function run(pieces, stop = [], ids = pieces.keys()) {
  const stream = new TextStream(over(pieces), stop);
  const shown = [];
  for (const id of ids) shown.push(stream.push(id));
  return { shown, end: stream.finish(), stopped: stream.stopped };
}
const cut = (bytes, size) =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
    bytes.subarray(i * size, (i + 1) * size),
  );
const whole = ({ shown, end }) => shown.join('') + end;

describe('text', () => {
  const text = 'Zürich 漢字 😀👨‍👩‍👧 e\u0301 \ufeff end';
  test.each([1, 2, 3, 4, 5, 100])(
    'in pieces of %i bytes comes out whole, and code points are never cut',
    (size) => {
      const result = run(cut(utf8(text), size));
      expect(whole(result)).toBe(text);
      for (const piece of result.shown)
        expect(piece).not.toMatch(/\ufffd|[\ud800-\udbff]$|^[\udc00-\udfff]/);
    },
  );

  test('comes as soon as it is complete', () => {
    expect(
      run([utf8('a'), utf8('é').subarray(0, 1), utf8('é').subarray(1), utf8('b')]).shown,
    ).toEqual(['a', '', 'é', 'b']);
  });

  test('that is not UTF-8 has U+FFFD in its place, also when it just ends', () => {
    expect(whole(run([Uint8Array.of(0xff), utf8('a'), Uint8Array.of(0xc3), utf8('b')]))).toBe(
      '\ufffda\ufffdb',
    );
    const { shown, end } = run([utf8('a'), utf8('😀').subarray(0, 3)]);
    expect([shown.join(''), end]).toEqual(['a', '\ufffd']);
  });

  test('does not contain control tokens, which do not cut a character', () => {
    const [first, second] = cut(utf8('é'), 1);
    expect(whole(run([first, second], [], [0, CONTROL, 1]))).toBe('é');
  });
});

describe('stop strings', () => {
  test('end the text before them', () => {
    const { shown, end, stopped } = run(
      [utf8('one '), utf8('two'), utf8(' three'), utf8(' four')],
      ['two'],
    );
    expect([shown, end, stopped]).toEqual([['one ', '', '', ''], '', 'two']);
  });

  test('are found within a token and over many', () => {
    expect(whole(run([utf8('abcSTOPdef')], ['STOP']))).toBe('abc');
    expect(whole(run(cut(utf8('abcSTOPdef'), 1), ['STOP']))).toBe('abc');
    expect(whole(run(cut(utf8('x😀😁y'), 1), ['😁']))).toBe('x😀');
  });

  test('hold back only what may still become one', () => {
    const { shown, end, stopped } = run([utf8('ab'), utf8('c'), utf8('x'), utf8('ab')], ['abcd']);
    expect([shown, end, stopped]).toEqual([['', '', 'abcx', ''], 'ab', undefined]);
  });

  test('that begin like themselves are found', () => {
    expect(whole(run(cut(utf8('aaab'), 1), ['aab']))).toBe('a');
    expect(whole(run(cut(utf8('\n\nUser\n\nUser:'), 2), ['\n\nUser:']))).toBe('\n\nUser');
  });

  test('that overlap: the first to be complete counts, of those the longest', () => {
    for (const size of [1, 2, 3, 9]) {
      const inner = run(cut(utf8('abcd'), size), ['bcd', 'c']);
      expect([whole(inner), inner.stopped]).toEqual(['ab', 'c']);
      const longest = run(cut(utf8('abcd'), size), ['c', 'abc', 'bc']);
      expect([whole(longest), longest.stopped]).toEqual(['', 'abc']);
    }
  });

  test('may come at the very end, in what finish() decodes', () => {
    const { shown, end, stopped } = run([utf8('a'), Uint8Array.of(0xe2, 0x82)], ['\ufffd']);
    expect([shown.join(''), end, stopped]).toEqual(['a', '', '\ufffd']);
  });

  test('give nothing after them', () => {
    const stream = new TextStream(over([utf8('stop'), utf8('more')]), ['stop']);
    stream.push(0);
    expect([stream.push(1), stream.push(1), stream.finish()]).toEqual(['', '', '']);
  });

  test('must not be empty', () => {
    expect(() => new TextStream(over([]), ['a', ''])).toThrow(RangeError);
  });

  test('mean the same however the text falls into tokens', () => {
    const random = randomNumbers(17);
    const letters = (count) =>
      Array.from({ length: count }, () => 'abé'[Math.floor(random() * 3)]).join('');
    let stopped = 0;
    for (let round = 0; round < 500; round++) {
      const text = letters(30);
      const stops = [letters(2 + (round % 4)), letters(3)];
      // The definition: the prefix that first ends with a stop string.
      let expected = text;
      let met;
      for (let end = 1; end <= text.length && met === undefined; end++) {
        const ending = stops.filter((stop) => text.slice(0, end).endsWith(stop));
        ending.sort((a, b) => b.length - a.length);
        met = ending[0];
        if (met) expected = text.slice(0, end - met.length);
      }
      for (const size of [1, 3, 7]) {
        const result = run(cut(utf8(text), size), stops);
        expect([whole(result), result.stopped]).toEqual([expected, met]);
      }
      if (met) stopped += 1;
    }
    expect(stopped).toBeGreaterThan(100);
    expect(stopped).toBeLessThan(500);
  });
});

test('a long text with a long stop string that nearly matches takes linear time', async () => {
  const work = (count) => () => {
    const stream = new TextStream(over([utf8('a')]), [`${'a'.repeat(5000)}b`]);
    let length = 0;
    for (let i = 0; i < count; i++) length += stream.push(0).length;
    expect(length + stream.finish().length).toBe(count);
  };
  const [eighth, whole] = await leastCpuTimes([work(16_000), work(128_000)]);
  expect(whole).toBeLessThan(Math.max(eighth, 2) * 8 * 3);
});
