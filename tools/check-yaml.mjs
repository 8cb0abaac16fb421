// SPDX-License-Identifier: MIT
//
// Workflows, forms and the citation are read by nobody here before they count: that they parse, and have
// what their readers need.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { parseDocument } from 'yaml';
import { projectFolder } from './setup/node-modules.mjs';

/**
 * @typedef {{ uses?: string, run?: string }} Step
 * @typedef {{ 'runs-on'?: string, steps?: Step[], needs?: string }} Job
 * @typedef {{ type: string, id?: string, attributes?: Record<string, unknown> }} Field
 */

/** @returns {Promise<string[]>} one line per fault */
export async function checkYaml(folder = projectFolder) {
  const { scripts } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const names = await readdir(join(folder, '.github'), { recursive: true });
  const paths = names.filter((name) => /\.ya?ml$/.test(name)).map((name) => `.github/${name}`);
  const faults = [];
  for (const path of [...paths, 'CITATION.cff']) {
    const document = parseDocument(await readFile(join(folder, path), 'utf8'), { strict: true });
    const [first] = [...document.errors, ...document.warnings];
    const wrong = first ? [first.message.split('\n')[0]] : [];
    if (!first) wrong.push(...faultsIn(path, document.toJS(), Object.keys(scripts)));
    faults.push(...wrong.map((line) => `${path}: ${line}`));
  }
  return faults;
}

/** @type {(path: string, value: any, scripts: string[]) => string[]} */
function faultsIn(path, value, scripts) {
  if (path.startsWith('.github/workflows/')) return inWorkflow(value, scripts);
  if (path.endsWith('/config.yml')) return lacking(value, ['blank_issues_enabled']);
  if (path.startsWith('.github/ISSUE_TEMPLATE/')) return inForm(value);
  return lacking(value, ['cff-version', 'message', 'title', 'authors', 'version', 'date-released']);
}

/** @type {(value: any, keys: string[], what?: string) => string[]} */
const lacking = (value, keys, what = 'it') =>
  keys.filter((key) => value?.[key] === undefined).map((key) => `${what} has no ${key}`);

/** @type {(workflow: any, scripts: string[]) => string[]} */
function inWorkflow(workflow, scripts) {
  const faults = lacking(workflow, ['name', 'on', 'permissions', 'jobs']);
  /** @type {[string, Job][]} */
  const jobs = Object.entries(workflow?.jobs ?? {});
  for (const [name, job] of jobs) {
    faults.push(...lacking(job, ['runs-on', 'steps'], name));
    if (job.needs && !workflow.jobs[job.needs])
      faults.push(`${name} needs a job that is not there`);
    for (const { uses, run } of job.steps ?? []) {
      if ((uses === undefined) === (run === undefined)) faults.push(`${name}: a step uses or runs`);
      if (uses && !/^[\w-]+\/[\w-]+@v\d/.test(uses)) faults.push(`${uses} names no version`);
      for (const [, script] of run?.matchAll(/npm run ([a-z-]+)/g) ?? []) {
        if (!scripts.includes(script)) faults.push(`${name}: npm run ${script} is no script`);
      }
    }
  }
  return faults;
}

/** @type {(form: any) => string[]} */
function inForm(form) {
  const faults = lacking(form, ['name', 'description', 'body']);
  /** @type {Set<string>} */
  const seen = new Set();
  for (const field of /** @type {Field[]} */ (form?.body ?? [])) {
    const { type, id = '', attributes = {} } = field;
    if (type === 'markdown') {
      faults.push(...lacking(attributes, ['value'], 'a paragraph'));
      continue;
    }
    const known = ['input', 'textarea', 'dropdown', 'checkboxes'].includes(type);
    if (!known) faults.push(`${type} is no kind of field`);
    if (!/^[\w-]+$/.test(id) || seen.has(id)) faults.push(`'${id}' is no name of its own`);
    seen.add(id);
    const needed = ['dropdown', 'checkboxes'].includes(type) ? ['label', 'options'] : ['label'];
    faults.push(...lacking(attributes, needed, id));
  }
  return faults;
}
