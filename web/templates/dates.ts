// SPDX-License-Identifier: MIT
// `strftime` in the locale that Python's programs begin with: English names.

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September'],
  ...['October', 'November', 'December'],
];
const DAY_MS = 86_400_000;

const pad = (value: number, width = 2, fill = '0') => String(value).padStart(width, fill);

type Part = (date: Date) => string;

const PARTS: Readonly<Record<string, Part>> = {
  a: (date) => (DAYS[date.getDay()] as string).slice(0, 3),
  A: (date) => DAYS[date.getDay()] as string,
  b: (date) => (MONTHS[date.getMonth()] as string).slice(0, 3),
  B: (date) => MONTHS[date.getMonth()] as string,
  c: (date) => strftime(date, '%a %b %e %H:%M:%S %Y'),
  d: (date) => pad(date.getDate()),
  D: (date) => strftime(date, '%m/%d/%y'),
  e: (date) => pad(date.getDate(), 2, ' '),
  f: (date) => pad(date.getMilliseconds() * 1000, 6),
  F: (date) => strftime(date, '%Y-%m-%d'),
  h: (date) => strftime(date, '%b'),
  H: (date) => pad(date.getHours()),
  I: (date) => pad(hourOf12(date)),
  j: (date) => pad(dayOfYear(date) + 1, 3),
  k: (date) => pad(date.getHours(), 2, ' '),
  l: (date) => pad(hourOf12(date), 2, ' '),
  m: (date) => pad(date.getMonth() + 1),
  M: (date) => pad(date.getMinutes()),
  n: () => '\n',
  p: (date) => (date.getHours() < 12 ? 'AM' : 'PM'),
  r: (date) => strftime(date, '%I:%M:%S %p'),
  R: (date) => strftime(date, '%H:%M'),
  s: (date) => String(Math.floor(date.getTime() / 1000)),
  S: (date) => pad(date.getSeconds()),
  t: () => '\t',
  T: (date) => strftime(date, '%H:%M:%S'),
  u: (date) => String(date.getDay() || 7),
  U: (date) => pad(Math.floor((dayOfYear(date) + 7 - date.getDay()) / 7)),
  w: (date) => String(date.getDay()),
  W: (date) => pad(Math.floor((dayOfYear(date) + 7 - ((date.getDay() + 6) % 7)) / 7)),
  x: (date) => strftime(date, '%m/%d/%y'),
  X: (date) => strftime(date, '%H:%M:%S'),
  y: (date) => pad(date.getFullYear() % 100),
  Y: (date) => String(date.getFullYear()),
  // Without a time zone, as datetime.now() is.
  z: () => '',
  Z: () => '',
  '%': () => '%',
};

const hourOf12 = (date: Date) => date.getHours() % 12 || 12;

const dayOfYear = (date: Date): number => {
  const today = Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
  return Math.round((today - Date.UTC(date.getFullYear(), 0, 1)) / DAY_MS);
};

/** A date of this machine's time zone; `%-d` and the like leave out zeros and blanks before a number. */
export function strftime(date: Date, form: string): string {
  return form.replace(/%(-?)([A-Za-z%])/g, (whole, sign: string, letter: string) => {
    if (!Object.hasOwn(PARTS, letter)) return whole;
    const text = (PARTS[letter] as Part)(date);
    return sign ? text.replace(/^[0 ]+(?=.)/, '') : text;
  });
}
