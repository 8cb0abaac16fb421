// SPDX-License-Identifier: MIT
// Files cannot be renamed, so what has to change in one step is in the names: that of a file is its
// entry's key, the version of the entry (when it was begun, and by chance something of its own) and
// one of
//   data<i>            the bytes, cut into pieces
//   part<n>-<bytes>    the first n pieces are stored, and have so many bytes together
//   whole<n>-<bytes>   likewise, and there are no more
//   …-facts            what was written down beside one of these two, as JSON, before it
//   used<time>         when it was last used
// Those that say something by being there are empty, so that no crash leaves a part of one. A version
// is there when its `whole` is; all others can be gone on with, or are rubbish. So is the copy that
// Chromium writes to until a file is closed, and leaves when it is killed: <name>.crswap.

const NAME =
  /^([^+]+)\+(\d+)-([0-9a-z]+)\+(?:data(\d+)|(part|whole)(\d+)-(\d+)(-facts)?|used(\d+))(\.crswap)?$/;

/** One version of an entry, as the names of its files say. */
export interface Version {
  readonly key: string;
  readonly id: string;
  /** When it was begun, in milliseconds. */
  readonly time: number;
  /** When it was last used. */
  readonly used: number;
  readonly whole: boolean;
  /** Pieces that are stored, and their bytes; of rubbish 0. */
  readonly pieces: number;
  readonly bytes: number;
  /** Its `part` or `whole`; undefined of rubbish. */
  readonly record: string | undefined;
  /** All files, those first that must go first. */
  readonly names: string[];
  readonly marks: string[];
}

type Draft = { -readonly [Name in keyof Version]: Version[Name] };

/** @returns the versions that there are, the latest of each key first, and names that mean nothing here */
export function parseNames(names: readonly string[]): { versions: Version[]; strange: string[] } {
  const drafts = new Map<string, Draft>();
  const strange: string[] = [];
  for (const name of names) {
    const match = NAME.exec(name);
    if (!match) {
      strange.push(name);
      continue;
    }
    const [, key = '', time = '', chance = '', , kind, pieces, bytes, facts, used, copy] = match;
    const id = `${time}-${chance}`;
    const draft = drafts.get(`${key}+${id}`) ?? begun(key, id, Number(time));
    drafts.set(`${key}+${id}`, draft);
    draft.names.push(name);
    if (copy) continue;
    if (used) {
      draft.marks.push(name);
      draft.used = Math.max(draft.used, Number(used));
    } else if (kind && !facts && !draft.whole && Number(pieces) >= draft.pieces) {
      draft.whole = kind === 'whole';
      draft.pieces = Number(pieces);
      draft.bytes = Number(bytes);
      draft.record = name;
    }
  }
  const versions = [...drafts.values()].sort((a, b) => b.time - a.time || (b.id < a.id ? -1 : 1));
  // Without its records nothing is taken for what it no longer is.
  const rank = (name: string) => (/\+data\d+$|-facts$/.test(name) ? 1 : 0);
  for (const { names } of versions) names.sort((a, b) => rank(a) - rank(b));
  return { versions, strange };
}

function begun(key: string, id: string, time: number): Draft {
  const none = { whole: false, pieces: 0, bytes: 0, record: undefined };
  return { key, id, time, used: time, ...none, names: [], marks: [] };
}

/** What a version is called that comes after all others of its key, whatever the clock says. */
export function nextId(others: readonly Version[]): string {
  const chance = Math.floor(Math.random() * 2 ** 32).toString(36);
  return `${Math.max(Date.now(), ...others.map(({ used }) => used + 1))}-${chance}`;
}

/** The names of a version's files. */
export const nameOf = {
  data: (key: string, id: string, piece: number) => `${key}+${id}+data${piece}`,
  record: (key: string, id: string, whole: boolean, pieces: number, bytes: number) =>
    `${key}+${id}+${whole ? 'whole' : 'part'}${pieces}-${bytes}`,
  facts: (record: string) => `${record}-facts`,
  used: (key: string, id: string, time: number) => `${key}+${id}+used${time}`,
};
