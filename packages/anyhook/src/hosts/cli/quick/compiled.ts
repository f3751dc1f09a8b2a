/**
 * Agents start us for every event, and most of the time of a short program is the reading of its own text. What V8 made
 * of it is kept beside the memories: for exactly this text, this Node and this user, whole or not at all.
 */
import { createHash } from 'node:crypto';
import Module from 'node:module';
import { basename, dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { makeFolder } from '../../../settings/make-folder.ts';
import { fingerprint } from './fingerprint.ts';
import { readOwn, writeOwn } from '../../../settings/own-file.ts';

interface Compiler {
  _compile(this: NodeModule, text: string, file: string): unknown;
}

/** From now on, files of this folder are compiled by way of what is kept in the other. They must not say `import()`. */
export function keepCompiled(folder: string, kept: string): void {
  if (process.versions['bun'] !== undefined) return; // it has ways of its own
  const here = join(
    kept,
    fingerprint([folder, process.version, process.arch, ...process.execArgv].join('\0')),
  );
  const compiler = Module.prototype as unknown as Compiler;
  const usual = compiler._compile;
  const scripts = new Map<string, { readonly script: Script; readonly text: string }>();
  let isWhole = true;
  const keptFor = (file: string, text: string): Buffer | undefined => {
    const bytes = readOwn(join(here, `${basename(file)}.bin`));
    if (bytes === undefined || bytes.length <= SEAL) return undefined;
    const data = bytes.subarray(SEAL);
    return bytes.subarray(0, SEAL).equals(sealOf(text, data)) ? data : undefined;
  };
  compiler._compile = function (text, file) {
    if (dirname(file) !== folder) return usual.call(this, text, file);
    const cachedData = keptFor(file, text);
    const script = new Script(Module.wrap(text), { filename: file, ...(cachedData && { cachedData }) });
    if (cachedData === undefined || script.cachedDataRejected === true) isWhole = false;
    scripts.set(file, { script, text });
    const run = script.runInThisContext() as (...args: unknown[]) => unknown;
    return run.call(this.exports, this.exports, this.require.bind(this), this, file, folder);
  };
  // At the end, when everything a fire needs has been compiled; a new part of it is worth a new copy of all.
  process.once('exit', () => {
    if (isWhole) return;
    try {
      makeFolder(here);
      for (const [file, { script, text }] of scripts) {
        const data = script.createCachedData();
        writeOwn(join(here, `${basename(file)}.bin`), Buffer.concat([sealOf(text, data), data]));
      }
    } catch {
      // only time is lost
    }
  });
}

/** In bytes. */
const SEAL = 32;
const sealOf = (text: string, data: Uint8Array): Buffer =>
  createHash('sha256').update(text).update(data).digest();
