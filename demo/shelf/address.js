// SPDX-License-Identifier: MIT
import { hubUrl } from 'fastweights';

const HUB = 'https://huggingface.co';
const REPOSITORY = /^([\w.-]+\/[\w.-]+?)(?:@([\w.-]+))?(?:\/(.+))?$/;
// What somebody copies who looks at a repository, or at one of its files.
const HUB_PAGE = /^\/([\w.-]+\/[\w.-]+)(?:\/(?:tree|blob|resolve)\/([^/]+)(?:\/(.*))?)?\/?$/;
const ON_THIS_MACHINE = ['localhost', '127.0.0.1'];

/**
 * The address that somebody means. Nothing is fetched.
 *
 * @param {string} typed an address, or a repository of the hub and perhaps a file of it
 * @returns {URL}
 * @throws Error saying in words what is wrong
 */
export function addressOf(typed) {
  const text = typed.trim();
  if (/^(\.{0,2}\/|[a-z][\w+.-]*:)/i.test(text)) return ofAddress(text);
  const [, repository, revision, file] = REPOSITORY.exec(text) ?? [];
  if (!repository) {
    throw new Error(
      'This is neither an address that begins with https:// nor a repository as in owner/name.',
    );
  }
  return new URL(hubUrl(repository, file, { revision }));
}

/** @param {string} text */
function ofAddress(text) {
  if (!URL.canParse(text, document.baseURI)) throw new Error('This is no complete address.');
  const url = new URL(text, document.baseURI);
  const isOwn = url.origin === location.origin;
  const isNear = url.protocol === 'http:' && ON_THIS_MACHINE.includes(url.hostname);
  if (url.protocol !== 'https:' && !isNear && !isOwn) {
    throw new Error('Only https:// addresses can be loaded, and http:// ones of this machine.');
  }
  if (url.username || url.password) {
    throw new Error('An address with a name and password in it cannot be loaded.');
  }
  const [, repository, revision, file] =
    url.origin === HUB ? (HUB_PAGE.exec(url.pathname) ?? []) : [];
  return repository ? new URL(hubUrl(repository, file, { revision })) : url;
}
