/**
 * Agents start us for every event, and most of the time of a short program is the reading of its own text. So the files that
 * a road needs from its start are one script, and what V8 made of it is kept beside the memories: for exactly these files,
 * this Node, this user and this kind of event or this program, whole or not at all.
 */
import { createHash } from 'node:crypto';
import { closeSync, openSync, readdirSync, readSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { makeFolder } from '../../settings/make-folder.ts';
import { readOwn, writeOwn } from '../../settings/own-file.ts';
import { fingerprint } from '../silence/fingerprint.ts';

/** The road of every event that somebody listens to. */
export const EVENT_ROAD = 'hosts-cli-main-fire.cjs';

/** What loads with a file at once, by its name. Set when the files are bundled. */
const loadedWith = () => JSON.parse('@roads@') as Readonly<Record<string, readonly string[]>>;

/** Without brackets around it V8 passes a function over until it is called: what an event does not ask for costs its text. */
const [BEFORE, AFTER] = ['function (exports, require, module, __filename, __dirname) {', '\n},'];
/** As `node:module` has it, which loads the loader of ES modules besides. */
const Module = module.constructor as new (file: string) => NodeModule;
type Wrapped = (
  exports: unknown,
  require: (name: string) => unknown,
  module: NodeModule,
  file: string,
  folder: string,
) => void;

interface Kept {
  readonly folder: string;
  /** What the event or the program is called: another one needs other parts of the same files. */
  readonly word: string;
}
/** Folders of this many Nodes, builds and places: the older half goes when there are more. */
const MOST_KEPT = 32;

/**
 * Loads this file of the folder, and later what it asks for there, by way of what is kept. They must not say `import()`.
 * Returns what keeps the code of everything that was not kept; to be called when what is needed has been compiled.
 */
export function loadKept(folder: string, entry: string, { folder: kept, word }: Kept): () => void {
  if (process.versions['bun'] !== undefined) return () => {}; // it has ways of its own
  const parts = [folder, process.version, process.arch, ...process.execArgv];
  const here = join(kept, fingerprint(parts.join('\0')), fingerprint(word));
  const roads = loadedWith();
  const waiting = new Map<string, Wrapped>();
  const anew: { readonly file: string; readonly header: string; readonly script: Script }[] = [];

  function open(name: string): void {
    const names = (roads[name] ?? [name]).filter(
      (one) => !waiting.has(one) && require.cache[join(folder, one)] === undefined,
    );
    const files = names.map((one) => {
      const path = join(folder, one);
      const { size, mtimeMs } = statSync(path);
      return { path, size, mtimeMs };
    });
    const header = JSON.stringify(files.map(({ path, size, mtimeMs }) => [path, size, mtimeMs]));
    const text = textOf(files);
    // A program may have loaded some of them before, by another door.
    const file = join(here, `${fingerprint(names.join())}.${name}.bin`);
    const cachedData = codeIn(readOwn(file), header);
    const script = new Script(text, {
      filename: join(folder, name),
      ...(cachedData && { cachedData }),
    });
    if (cachedData === undefined || script.cachedDataRejected === true) anew.push({ file, header, script });
    const wrapped = script.runInThisContext() as readonly Wrapped[];
    for (const [at, one] of names.entries()) waiting.set(one, wrapped[at]!);
  }

  function load(name: string): unknown {
    const file = join(folder, name);
    const known = require.cache[file];
    if (known !== undefined) return known.exports;
    if (!waiting.has(name)) open(name);
    const loaded = new Module(file);
    loaded.filename = file;
    require.cache[file] = loaded;
    const run = waiting.get(name)!;
    waiting.delete(name);
    const inside = (wanted: string): unknown =>
      wanted.startsWith('./') && wanted.endsWith('.cjs') ? load(wanted.slice(2)) : loaded.require(wanted);
    try {
      run.call(loaded.exports, loaded.exports, inside, loaded, file, folder);
    } catch (error) {
      delete require.cache[file];
      waiting.set(name, run);
      throw error;
    }
    loaded.loaded = true;
    return loaded.exports;
  }

  load(entry);
  return () => {
    try {
      if (anew.length === 0) return;
      makeFolder(here);
      for (const { file, header, script } of anew.splice(0))
        writeOwn(file, sealed(header, script.createCachedData()));
      thinOut(kept);
    } catch {
      // only time is lost
    }
  };
}

/** All of it is ASCII. Put together outside of V8's heap, whose young generation is smaller than this text. */
function textOf(files: readonly { readonly path: string; readonly size: number }[]): string {
  const around = BEFORE.length + AFTER.length;
  const text = Buffer.allocUnsafeSlow(files.reduce((sum, { size }) => sum + size + around, '[]'.length));
  let end = text.write('[', 'latin1');
  for (const { path, size } of files) {
    end += text.write(BEFORE, end, 'latin1');
    const fd = openSync(path, 'r');
    end += readSync(fd, text, end, size, 0);
    closeSync(fd);
    end += text.write(AFTER, end, 'latin1');
  }
  end += text.write(']', end, 'latin1');
  return text.toString('latin1', 0, end);
}

function thinOut(folder: string): void {
  const names = readdirSync(folder);
  if (names.length <= MOST_KEPT) return;
  const byAge = names
    .map((name) => ({ name, at: statSync(join(folder, name)).mtimeMs }))
    .toSorted((one, other) => one.at - other.at);
  for (const { name } of byAge.slice(0, names.length / 2))
    rmSync(join(folder, name), { recursive: true, force: true });
}

/** In bytes. */
const SEAL = 32;
const LENGTH = 4;
const sealOf = (rest: Uint8Array): Buffer => createHash('sha256').update(rest).digest();

function sealed(header: string, code: Uint8Array): Buffer {
  const said = Buffer.from(header);
  const length = Buffer.alloc(LENGTH);
  length.writeUInt32LE(said.length);
  const rest = Buffer.concat([length, said, code]);
  return Buffer.concat([sealOf(rest), rest]);
}

function codeIn(bytes: Buffer | undefined, header: string): Buffer | undefined {
  if (bytes === undefined || bytes.length < SEAL + LENGTH) return undefined;
  const end = SEAL + LENGTH + bytes.readUInt32LE(SEAL);
  if (bytes.toString('utf8', SEAL + LENGTH, end) !== header) return undefined;
  return bytes.subarray(0, SEAL).equals(sealOf(bytes.subarray(SEAL))) ? bytes.subarray(end) : undefined;
}
