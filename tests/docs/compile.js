// SPDX-License-Identifier: MIT
// Blocks as a TypeScript project of a user's: against the package's declarations and those of the
// packages that it stands behind.
import { join } from 'node:path';
import ts from 'typescript';
import { project } from './blocks.js';

const OPTIONS = {
  ...{ target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.NodeNext, noEmit: true },
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable', 'esnext.disposable'].map(
    (name) => `lib.${name}.d.ts`,
  ),
  ...{ jsx: ts.JsxEmit.ReactJSX, types: ['node'], skipLibCheck: true },
};
// Who writes TypeScript is strict; in JavaScript nothing says what `[]` may hold.
const STRICT = { ...OPTIONS, strict: true };
const PLAIN = { ...OPTIONS, allowJs: true, checkJs: true };

/**
 * @param {string} folder where the files are
 * @param {string[]} paths of files in it
 * @returns {Map<string, string[]>} by path, what is wrong with it
 */
export function typeErrors(folder, paths) {
  const host = ts.createCompilerHost(OPTIONS);
  const { getSourceFile } = host;
  const read = new Map();
  host.getSourceFile = (path, ...how) => {
    if (!read.has(path)) read.set(path, getSourceFile.call(host, path, ...how));
    return read.get(path);
  };
  const isTyped = (path) => /\.tsx?$/.test(path);
  const typed = paths.filter(isTyped);
  const plain = paths.filter((path) => !isTyped(path));
  return new Map([
    ...errorsOf(folder, typed, STRICT, host),
    ...errorsOf(folder, plain, PLAIN, host),
  ]);
}

function* errorsOf(folder, paths, options, host) {
  const given = join(project, 'tests/docs/given.d.ts');
  const program = ts.createProgram(
    [...paths.map((path) => join(folder, path)), given],
    options,
    host,
  );
  for (const path of paths) {
    const file = program.getSourceFile(join(folder, path));
    const found = [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ].map((diagnostic) => told(file, diagnostic));
    if (found.length > 0) yield [path, found];
  }
}

/** What keeps a text from being parsed, of another's package too. */
export function syntaxErrors(path, text) {
  const { diagnostics } = ts.transpileModule(text, {
    fileName: path,
    compilerOptions: { ...OPTIONS, noEmit: false },
    reportDiagnostics: true,
  });
  return diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

/** As a module of Node. */
export function moduleOf(path, text) {
  const { outputText } = ts.transpileModule(text, {
    fileName: path,
    compilerOptions: { ...OPTIONS, noEmit: false, module: ts.ModuleKind.ESNext },
  });
  return outputText;
}

function told(file, { start, messageText }) {
  const { line } = file.getLineAndCharacterOfPosition(start ?? 0);
  return `line ${line + 1}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
}
