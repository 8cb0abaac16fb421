// SPDX-License-Identifier: MIT
// Fetched only where a schema has a format: regular expressions for those whose texts one can tell.

/** The texts of a format: all of what the expression matches, with so many letters at the most. */
export interface Format {
  source: string;
  most?: number;
}

const group = (...alternatives: string[]) => `(?:${alternatives.join('|')})`;

// RFC 3339: dates, with the 29th of February where there is one.
const LEAP_YEAR = '(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)';
const DATE = group(
  '\\d{4}-(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])',
  '\\d{4}-(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)',
  '\\d{4}-02-(?:0[1-9]|1\\d|2[0-8])',
  `${LEAP_YEAR}-02-29`,
);
const HOUR = '(?:[01]\\d|2[0-3])';
const MINUTE = '[0-5]\\d';
const FRACTION = '(?:\\.\\d+)?';

// A leap second is at the end of a day of UTC. Time zones are whole quarters of hours from it.
function leapSeconds(): string[] {
  const found: string[] = [];
  const two = (value: number) => String(value).padStart(2, '0');
  for (let offset = 0; offset < 24 * 60; offset += 15) {
    for (const [sign, by] of [
      ['\\+', 1],
      ['-', -1],
    ] as const) {
      const local = (24 * 60 - 1 + by * offset + 24 * 60) % (24 * 60);
      const zone = `${sign}${two(Math.floor(offset / 60))}:${two(offset % 60)}`;
      found.push(`${two(Math.floor(local / 60))}:${two(local % 60)}:60${FRACTION}${zone}`);
    }
  }
  return found;
}

const TIME = group(
  `${HOUR}:${MINUTE}:${MINUTE}${FRACTION}(?:[Zz]|[+\\-]${HOUR}:${MINUTE})`,
  `23:59:60${FRACTION}[Zz]`,
  ...leapSeconds(),
);

const CLOCK = 'T(?:\\d+H(?:\\d+M(?:\\d+S)?)?|\\d+M(?:\\d+S)?|\\d+S)';
const DAYS = '(?:\\d+Y(?:\\d+M(?:\\d+D)?)?|\\d+M(?:\\d+D)?|\\d+D)';

// RFC 3986, and RFC 3987 with more letters.
const HEX = '[0-9A-Fa-f]';
const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const IPV4 = `${OCTET}(?:\\.${OCTET}){3}`;
const PIECE = `${HEX}{1,4}`;
const LAST_TWO = group(`${PIECE}:${PIECE}`, IPV4);
const IPV6 = group(
  `(?:${PIECE}:){6}${LAST_TWO}`,
  `::(?:${PIECE}:){5}${LAST_TWO}`,
  ...[4, 3, 2, 1, 0].map((after) => {
    const before = `(?:(?:${PIECE}:){0,${4 - after}}${PIECE})?`;
    return `${before}::(?:${PIECE}:){${after}}${LAST_TWO}`;
  }),
  `(?:(?:${PIECE}:){0,5}${PIECE})?::${PIECE}`,
  `(?:(?:${PIECE}:){0,6}${PIECE})?::`,
);

const plane = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => {
    const hex = (from + i).toString(16);
    return `\\u{${hex}0000}-\\u{${hex}fffd}`;
  }).join('');
const LETTERS = `\\u00a0-\\ud7ff\\uf900-\\ufdcf\\ufdf0-\\uffef${plane(1, 14)}`;
const PRIVATE = `\\ue000-\\uf8ff${plane(15, 16)}`;

function addresses(letters: string, inQuery: string) {
  const plain = `A-Za-z0-9\\-._~!$&'()*+,;=${letters}`;
  const of = (chars: string) => `(?:[${chars}]|%${HEX}{2})`;
  const step = of(`${plain}:@`);
  const future = `[Vv]${HEX}+\\.[A-Za-z0-9\\-._~!$&'()*+,;=:]+`;
  const host = group(`\\[${group(IPV6, future)}\\]`, `${of(plain)}*`);
  const authority = `//(?:${of(`${plain}:`)}*@)?${host}(?::\\d*)?(?:/${step}*)*`;
  const rooted = `/(?:${step}+(?:/${step}*)*)?`;
  const rest = `(?:\\?${of(`${plain}:@/?${inQuery}`)}*)?(?:#${of(`${plain}:@/?`)}*)?`;
  const rootless = `${step}+(?:/${step}*)*`;
  const whole = `[A-Za-z][A-Za-z0-9+\\-.]*:${group(authority, rooted, rootless, '')}${rest}`;
  const relative = `${group(authority, rooted, `${of(`${plain}@`)}+(?:/${step}*)*`, '')}${rest}`;
  return { whole, reference: group(whole, relative) };
}

const URI = addresses('', '');
const IRI = addresses(LETTERS, PRIVATE);

// RFC 1123. Punycode, with hyphens in the third place and the fourth, is no regular language: none is
// written.
const INNER = '[A-Za-z0-9\\-]';
const ALNUM = '[A-Za-z0-9]';
const LABEL = group(
  ALNUM,
  `${ALNUM}${INNER}?${ALNUM}`,
  `${ALNUM}${INNER}${group(`${ALNUM}${INNER}`, `-${ALNUM}`)}${INNER}{0,58}${ALNUM}`,
  `${ALNUM}${INNER}-${ALNUM}`,
);
const ANY_LABEL = `${ALNUM}(?:${INNER}{0,61}${ALNUM})?`;
const HOST = `${LABEL}(?:\\.${LABEL})*`;

// RFC 5321 and RFC 6531.
function mailbox(letters: string): string {
  const atom = `[A-Za-z0-9!#$%&'*+/=?^_\`{|}~\\-${letters}]+`;
  const quoted = `"(?:[ !#-\\[\\]-~${letters}]|\\\\[ -~])*"`;
  const label =
    letters === ''
      ? ANY_LABEL
      : `[A-Za-z0-9${letters}](?:[A-Za-z0-9\\-${letters}]*[A-Za-z0-9${letters}])?`;
  const local = group(`${atom}(?:\\.${atom})*`, quoted);
  const domain = group(`${label}(?:\\.${label})*`, `\\[${group(IPV4, `IPv6:${IPV6}`)}\\]`);
  return `${local}@${domain}`;
}

// RFC 6570.
const NAME = `(?:[A-Za-z0-9_]|%${HEX}{2})(?:\\.?(?:[A-Za-z0-9_]|%${HEX}{2}))*`;
const VARIABLE = `${NAME}(?:\\*|:[1-9]\\d{0,3})?`;
const TEMPLATE_LETTERS = `!#$&'()*+,\\-./0-9:;=?@A-Z\\[\\]_a-z~${LETTERS}${PRIVATE}`;
const TEMPLATE = `(?:[${TEMPLATE_LETTERS}]|%${HEX}{2}|\\{[+#./;?&=,!@|]?${VARIABLE}(?:,${VARIABLE})*\\})*`;

// RFC 6901.
const POINTER = '(?:/(?:[^~/]|~[01])*)*';

/** `regex` and `idn-hostname` are no regular languages: as any other format, they allow every text. */
export const FORMATS: Readonly<Record<string, Format>> = {
  date: { source: DATE },
  time: { source: TIME },
  'date-time': { source: `${DATE}[Tt]${TIME}` },
  duration: { source: `P(?:${DAYS}(?:${CLOCK})?|${CLOCK}|\\d+W)` },
  email: { source: mailbox('') },
  'idn-email': { source: mailbox('\\u0080-\\u{10ffff}') },
  hostname: { source: HOST, most: 253 },
  ipv4: { source: IPV4 },
  ipv6: { source: IPV6 },
  uri: { source: URI.whole },
  'uri-reference': { source: URI.reference },
  iri: { source: IRI.whole },
  'iri-reference': { source: IRI.reference },
  'uri-template': { source: TEMPLATE },
  uuid: { source: `${HEX}{8}-${HEX}{4}-${HEX}{4}-${HEX}{4}-${HEX}{12}` },
  'json-pointer': { source: POINTER },
  'relative-json-pointer': { source: `(?:0|[1-9]\\d*)(?:#|${POINTER})` },
};
