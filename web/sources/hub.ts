// SPDX-License-Identifier: MIT

/** Where {@link hubUrl} points. */
export interface HubOptions {
  /** A branch, tag or commit. Default `main`. */
  revision?: string;
  /** A mirror with the same addresses. Default `https://huggingface.co`. */
  host?: string | URL;
}

/**
 * The address of a file of a repository on the Hugging Face hub, or without a file that of the
 * repository's checkpoint: what `loadModel` takes. Nothing is fetched.
 *
 * @param repository as in `owner/name`
 * @param file its path in the repository
 * @throws TypeError for a repository, file or revision that is no such name
 */
export function hubUrl(
  repository: string,
  file = '',
  { revision = 'main', host = 'https://huggingface.co' }: HubOptions = {},
): string {
  if (typeof repository !== 'string' || !/^[\w.-]+\/[\w.-]+$/.test(repository)) {
    throw new TypeError(`repository must be as in 'owner/name', not '${repository}'`);
  }
  for (const [name, value] of Object.entries({ repository, file, revision })) {
    if (typeof value !== 'string') throw new TypeError(`${name} must be a string`);
    if (value.split('/').some((part) => part === '.' || part === '..')) {
      throw new TypeError(`${name} must not go up: '${value}'`);
    }
  }
  if (revision === '') throw new TypeError('revision must not be empty');
  if (file.startsWith('/')) throw new TypeError(`file must not begin with '/': '${file}'`);
  const path = file.split('/').map(encodeURIComponent).join('/');
  const base = String(host).replace(/\/+$/, '');
  return `${base}/${repository}/resolve/${encodeURIComponent(revision)}/${path}`;
}
