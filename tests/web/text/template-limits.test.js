// SPDX-License-Identifier: MIT
//
// Templates come with files of strangers, and run on the engine's thread.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ModelError } from '../../../build/web/errors.js';
import { ChatTemplate } from '../../../build/web/text/chat-template.js';

const tokens = ['<s>', '</s>'];
const tokenizer = {
  bosToken: 0,
  eosToken: 1,
  text: (id) => tokens[id],
  controlTexts: () => tokens,
  definedTexts: () => [],
};
const template = (source) =>
  ChatTemplate.fromMetadata(new Map([['tokenizer.chat_template', source]]), tokenizer);
const messages = [{ role: 'user', content: 'hello, you there' }];
const render = (source, said = messages) =>
  template(source).render(said, { addGenerationPrompt: true });

const doubled = (times, what) =>
  `{% set ns = namespace(x=${what}) %}${'{% set ns.x = ns.x + ns.x %}'.repeat(times)}`;
const shared = (times, what = '[ns.x, ns.x]') =>
  `{% set ns = namespace(x=[1]) %}${`{% set ns.x = ${what} %}`.repeat(times)}`;
const nested = (depth, body) =>
  `${'{% for i in range(10000) %}'.repeat(depth)}${body}${'{% endfor %}'.repeat(depth)}`;
const macros = '{% macro f(n) %}{{ f(n + 1) }}{% endmacro %}{{ f(0) }}';

test.each([
  ['one long loop', '{% for i in range(3000000) %}{% endfor %}', /steps|range/],
  ['three loops in each other', nested(3, ''), /steps|range/],
  ['three loops that write', nested(3, 'x'), /steps|letters|range/],
  ['a range without end', '{{ range(1000000000) | length }}', /range of 1000000000/],
  ['a range that never gets there', '{{ range(0, 1, 0.00000001) | length }}', /range/],
  ['many ranges', nested(1, '{% set x = range(100000) %}'), /steps|range/],
  ['a list that doubles', `${doubled(40, '[1]')}{{ ns.x | length }}`, /steps/],
  ['a text that doubles', `${doubled(28, "'x'")}{{ ns.x | length }}`, /steps|letters/],
  ['a text that doubles and is not put out', `${doubled(40, "'xy'")}`, /steps|letters/],
  [
    'loops that look through a long text',
    `${doubled(20, "'x'")}${nested(2, "{% set y = 'z' in ns.x %}")}`,
    /steps/,
  ],
  [
    'loops that look through a long list',
    `${doubled(12, '[1]')}${nested(2, '{% set y = 2 in ns.x %}')}`,
    /steps/,
  ],
  [
    'loops that split',
    `${doubled(16, "'x '")}${nested(1, "{% set y = ns.x.split(' ') %}")}`,
    /steps/,
  ],
  [
    'a text put in everywhere',
    `${doubled(14, "'x'")}{{ ns.x | replace('x', ns.x) | length }}`,
    /letters|long/,
  ],
  [
    'a text joined',
    `${doubled(14, "'x'")}{{ range(100000) | join(ns.x) | length }}`,
    /letters|long|steps/,
  ],
  ['a text that is repeated', "{{ ('x' * 1000000000) | length }}", /letters|steps/],
  ['a list that is repeated', '{{ ([1] * 1000000000) | length }}', /list of 1000000000/],
  ['a width', "{{ '%1000000000d' % 1 }}", /letters|steps/],
  ['a width of format', "{{ '{:>1000000000}'.format(1) }}", /letters|steps/],
  [
    'a text in the centre',
    "{{ 'x' | center(1000000000) }}{{ 'x'.zfill(1000000000) }}",
    /letters|steps/,
  ],
  ['an indent of JSON', '{{ [1] | tojson(indent=1000000000) }}', /letters|steps/],
  ['slices', '{{ [1] | slice(1000000000) | list | length }}', /slices of 1000000000/],
  ['a batch', '{{ [1] | batch(1000000000, 0) | list | length }}', /batch of/],
  ['a loop that calls itself', '{% for i in [1] recursive %}{{ loop([i]) }}{% endfor %}', /nests/],
  ['an indent', "{{ 'a\\nb' | indent(100000000) | length }}", /letters|long/],
  ['a list that shares its parts', `${shared(40)}{{ ns.x }}`, /letters|steps/],
  ['such a list as JSON', `${shared(26)}{{ ns.x | tojson | length }}`, /letters|steps/],
  [
    'such a list as indented JSON',
    `${shared(26)}{{ ns.x | tojson(indent=4) | length }}`,
    /letters|steps/,
  ],
  ['such a list as text', `${shared(26)}{{ ns.x | string | length }}`, /letters|steps/],
  ['such a list put out', `${shared(26)}{{ ns.x }}`, /letters|steps/],
  ['such a list joined', `${shared(26)}{{ ns.x | join | length }}`, /letters|steps/],
  ['such a list behind a text', `${shared(26)}{{ ('a' ~ ns.x) | length }}`, /letters|steps/],
  [
    'such a list compared with another',
    `${shared(26)}{% set a = ns.x %}${shared(26)}{{ ns.x == a }}`,
    /steps/,
  ],
  ['such a list for a range', `${shared(26)}{{ range(ns.x) }}`, /whole number/],
  ['such a list for a date', `${shared(26)}{{ strftime_now(ns.x) }}`, /takes a text/],
  [
    'a map that shares its parts',
    `${shared(26, "{'a': ns.x, 'b': ns.x}")}{{ ns.x }}`,
    /letters|steps/,
  ],
  ['a list that holds a list often', `${shared(26, 'ns.x + [ns.x]')}{{ ns.x }}`, /letters|steps/],
  [
    'namespaces that share theirs',
    `${Array.from({ length: 30 }, (_, i) => `{% set n${i} = namespace() %}`).join('')}${Array.from(
      { length: 29 },
      (_, i) => `{% set n${i}.x = [n${i + 1}, n${i + 1}] %}`,
    ).join('')}{{ n0 }}`,
    /letters|steps/,
  ],
  [
    'a list put out again and again',
    `${shared(16)}{% for i in range(10000) %}{{ ns.x }}{% endfor %}`,
    /letters|steps/,
  ],
  [
    'a list compared again and again',
    `${shared(16)}{% for i in range(10000) %}{% set y = ns.x == ns.x + [] %}{% endfor %}`,
    /steps/,
  ],
  [
    'a list of long texts sorted again and again',
    `${doubled(14, "'x'")}{% set ns.y = [${'ns.x,'.repeat(400)}] %}{% for i in range(10000) %}{% set y = ns.y | sort %}{% endfor %}`,
    /letters|steps/,
  ],
  [
    'a namespace that is written again and again',
    `{% set a = namespace() %}${shared(1, '[a]')}${'{% set ns.x = [ns.x, ns.x] %}'.repeat(12)}${nested(1, '{% set y = ns | string %}')}`,
    /letters|steps/,
  ],
  ['a macro that calls itself', macros, /nests/],
  ['a chain of additions', `{{ ${'1 + '.repeat(600)}1 }}`, /nests/],
  [
    'what it holds itself',
    '{% set ns = namespace() %}{% set ns.x = ns %}{{ ns | tojson }}{{ ns }}',
    /nests|./,
  ],
])('%s is stopped', (_, source, why) => {
  const begun = template(source);
  expect.assertions(3);
  try {
    begun.render(messages, { addGenerationPrompt: true });
  } catch (error) {
    expect(error).toBeInstanceOf(ModelError);
    expect(error.code).toBe('chat_template');
    expect(error.message).toMatch(why);
  }
});

test.each([
  ['parentheses', `{{ ${'('.repeat(100_000)}1${')'.repeat(100_000)} }}`, /nests/],
  ['blocks', '{% if a %}'.repeat(12_000) + '{% endif %}'.repeat(12_000), /nests/],
  ['letters', 'x'.repeat(300_000), /longer than 262144/],
])('a source of %s is refused at once', (_, source, why) => {
  expect.assertions(2);
  try {
    template(source);
  } catch (error) {
    expect(error.code).toBe('chat_template');
    expect(error.message).toMatch(why);
  }
});

test('blanks are read once', () => {
  const blanks = ' '.repeat(60_000);
  expect(render(`${blanks}{{- 1 -}}${blanks}{%${blanks}if 1${blanks}%}2{% endif %}`)).toBe('12');
  expect(() => template(`${'{% raw'.repeat(100)}${blanks}`)).toThrow(ModelError);
});

test('a loop goes on behind break and continue as before', () => {
  const source =
    '{% for i in range(500) %}{% if i == 3 %}{% continue %}{% endif %}{% if i == 450 %}{% break %}{% endif %}.{% endfor %}';
  expect(render(source)).toBe('.'.repeat(449));
});

test('range is as it was', () => {
  expect(
    render(
      '{{ range(3) | join(" ") }}, {{ range(5, 1, -2) | join(" ") }}, {{ range(2, 2) | length }}',
    ),
  ).toBe('0 1 2, 5 3, 0');
  expect(() => render('{{ range(1, 2, 0) }}')).toThrow('step must not be zero');
});

test('values may share their parts, and namespaces hold each other', () => {
  const source = `${shared(3)}{% set other = namespace(inner=ns, list=[ns, ns]) %}{% set ns.x = 'y' %}`;
  expect(render(`${shared(3)}{{ ns.x }}`)).toBe(
    '[[[[1], [1]], [[1], [1]]], [[[1], [1]], [[1], [1]]]]',
  );
  expect(render(`${source}{{ other.list }}`)).toBe(
    "[<Namespace {'x': 'y'}>, <Namespace {'x': 'y'}>]",
  );
  expect(() => render(`${source}{{ other | tojson }}`)).toThrow('not JSON serializable');
});

test('what every template knows is there', () => {
  expect(render('{{ True }} {{ none is none }} {{ strftime_now("%Y") }}')).toBe(
    `${render('{{ true }}')} ${render('{{ true }}')} ${new Date().getFullYear()}`,
  );
  expect(() => render('{{ raise_exception("not so") }}')).toThrow('not so');
});

test.each([
  "{{ ''.constructor.constructor('return process')() }}",
  "{{ messages.map.constructor('return 1')() }}",
  "{{ raise_exception.constructor('return 1')() }}",
  "{{ range.__globals__['os'].popen('id').read() }}",
  "{{ lipsum.__globals__['os'].popen('id').read() }}",
  "{{ ''.__class__.__mro__[1].__subclasses__() }}",
  "{{ ''['constructor']['constructor']('return 1')() }}",
  "{{ messages[0]['constructor']('x') }}",
])('nothing of JavaScript or Python is reached by %s', (source) => {
  expect(() => render(source)).toThrow(ModelError);
});

test.each([
  '{{ messages.constructor }}',
  '{{ messages[0].__proto__ }}',
  "{{ {}['__proto__'] }}",
  "{{ ({'a': 1}).hasOwnProperty }}",
  '{{ process }}{{ globalThis }}{{ self }}',
  '{% set ns = namespace() %}{% set ns.__proto__ = {"polluted": 1} %}{{ {}.polluted }}',
])('%s is nothing', (source) => {
  expect(render(source)).toBe('');
  expect({}.polluted).toBeUndefined();
});

test('long conversations and long messages are no abuse', () => {
  const path = new URL('../../golden/tokenizer/qwen3_5.jinja', import.meta.url);
  const source = readFileSync(fileURLToPath(path), 'utf8');
  const turns = Array.from({ length: 3000 }, (_, i) => ({
    role: i % 2 ? 'assistant' : 'user',
    content: `line ${i}\nand </think> another\n`.repeat(30),
  }));
  expect(render(source, turns).length).toBeGreaterThan(turns.length * 100);
  const long = [{ role: 'user', content: 'many words, '.repeat(1_000_000) }];
  expect(render(source, long).length).toBeGreaterThan(12_000_000);
});
