// SPDX-License-Identifier: MIT
// Any template ends soon, in a text or in the error `chat_template`.
import fc from 'fast-check';
import { ChatTemplate } from '../../../build/web/text/chat-template.js';
import { isRefusal, must, unlessRefused } from './expect.js';

const kTokens = ['<s>', '</s>'];
const kTokenizer = {
  bosToken: 0,
  eosToken: 1,
  text: (id) => kTokens[id],
  controlTexts: () => kTokens,
  definedTexts: () => [],
};
// A template is words of its language, most of them where they belong.
const expression = fc.letrec((tie) => ({
  leaf: fc.constantFrom(
    ...['messages', 'message', 'x', 'ns', 'ns.x', 'loop', 'loop.index', 'none', 'true', '1', '-1'],
    ...["'a'", "''", '[]', '{}', '[1, 2]', "{'a': 1}", 'messages[0].content', 'range(3)', '1e999'],
    ...['range(99999999)', 'f(1)', 'namespace(x=1)', 'raise_exception', '"x" * 9', 'bos_token'],
    ...[
      'message.role',
      'messages[-1]',
      'messages[1:]',
      'self',
      'caller()',
      '__proto__',
      '9007199254740993',
    ],
  ),
  value: fc.oneof(
    { depthSize: 'small' },
    tie('leaf'),
    fc
      .tuple(
        tie('value'),
        fc.constantFrom(...'+ - * / % ~ == != < > and or in is'.split(' ')),
        tie('value'),
      )
      .map((words) => words.join(' ')),
    fc
      .tuple(
        tie('value'),
        fc.constantFrom(
          ...'length upper trim list join tojson items sort map first last string int default'.split(
            ' ',
          ),
          ...[
            "replace('a', 'aa')",
            'selectattr("role")',
            'indent(2)',
            'reverse',
            'groupby("role")',
            'unique',
          ],
          ...[
            'dictsort',
            'sum',
            'batch(2)',
            'safe',
            'e',
            'abs',
            'title',
            'capitalize',
            'join("x")',
          ],
        ),
      )
      .map(([value, filter]) => `(${value}) | ${filter}`),
    fc
      .tuple(
        tie('value'),
        fc.constantFrom(
          ...[
            'split("a")',
            'strip()',
            'items()',
            'get("a")',
            'constructor',
            '__proto__',
            'keys()',
            'upper()',
          ],
          ...[
            'startswith("a")',
            'append(1)',
            'toString()',
            'length',
            'update({})',
            'format(1)',
            'replace("a")',
          ],
        ),
      )
      .map(([value, member]) => `(${value}).${member}`),
    fc.tuple(tie('value'), tie('value')).map(([a, b]) => `(${a})[${b}]`),
    tie('value').map((value) => `(${value} if ${value} else x)`),
    tie('value').map((value) => `[${value}, ${value}]`),
    fc
      .tuple(
        tie('value'),
        fc.constantFrom('defined', 'string', 'mapping', 'iterable', 'none', 'odd', 'x'),
      )
      .map(([value, test]) => `${value} is not ${test}`),
  ),
})).value;
const template = fc.letrec((tie) => ({
  body: fc.array(tie('piece'), { maxLength: 4 }).map((pieces) => pieces.join('')),
  piece: fc.oneof(
    { depthSize: 'small' },
    fc.string({ maxLength: 5 }),
    expression.map((value) => `{{ ${value} }}`),
    expression.map((value) => `{%- set x = ${value} -%}`),
    expression.map((value) => `{% set ns.x = ${value} %}`),
    fc.constantFrom(
      '{% break %}',
      '{# x #}',
      '{%',
      '}}',
      '{{',
      '{% endif %}',
      '{% set ns = namespace(x=[]) %}',
    ),
    fc
      .tuple(expression, tie('body'))
      .map(([list, body]) => `{% for message in ${list} %}${body}{% endfor %}`),
    fc
      .tuple(expression, tie('body'), tie('body'))
      .map(([test, a, b]) => `{% if ${test} %}${a}{% else %}${b}{% endif %}`),
    tie('body').map((body) => `{% macro f(x) %}${body}{{ f(x) }}{% endmacro %}{{ f(2) }}`),
    tie('body').map((body) => `{% generation %}${body}{% endgeneration %}`),
    tie('body').map((body) => `{% call f(1) %}${body}{% endcall %}`),
    tie('body').map((body) => `{% filter upper %}${body}{% endfilter %}`),
  ),
})).body;

export const arbitrary = fc.record({
  source: fc.oneof({ weight: 6, arbitrary: template }, fc.string({ unit: 'binary' })),
  repeat: fc.constantFrom(1, 1, 1, 2, 50),
  contents: fc.array(fc.string({ unit: 'binary', maxLength: 12 }), { maxLength: 3 }),
  addGenerationPrompt: fc.boolean(),
  thinking: fc.option(fc.boolean(), { nil: undefined }),
});

// Of this machine when it is busy with other things; the limits are for a second.
const kMostMs = 4000;

export async function check({ source, repeat, contents, ...options }) {
  const roles = ['system', 'user', 'assistant'];
  const messages = contents.map((content, i) => ({ role: roles[i], content }));
  const metadata = new Map([['tokenizer.chat_template', source.repeat(repeat)]]);
  const start = process.cpuUsage();
  const text = await unlessRefused(
    () => ChatTemplate.fromMetadata(metadata, kTokenizer).render(messages, options),
    (error) => isRefusal(error) && error.code === 'chat_template',
  );
  const { user, system } = process.cpuUsage(start);
  must((user + system) / 1000 < kMostMs, `it took ${(user + system) / 1000} ms`);
  must(text === undefined || typeof text === 'string', 'a rendering is no text');
}
