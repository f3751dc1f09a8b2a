/** Where the client lies: the compiled one of a platform, and the one that runs in Node. Copies nothing itself. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The compiled client, from its optional package or from the build of a clone. Undefined if neither is there: then
 * `nodeClientText` is installed.
 */
export function clientFor(platform: NodeJS.Platform, arch: string): string | undefined {
  const file = platform === 'win32' ? 'anyhook-client.exe' : 'anyhook-client';
  try {
    return createRequire(import.meta.url).resolve(`@anyhook/client-${platform}-${arch}/bin/${file}`);
  } catch {
    // the optional package is not installed
  }
  const clone = cloneOfClient();
  const built = clone === undefined ? undefined : join(clone, 'npm', `${platform}-${arch}`, 'bin', file);
  return built !== undefined && existsSync(built) ? built : undefined;
}

/** The source of the Node client: `dist/node-client.cjs`, in a clone the file that is copied there. */
export function nodeClientFile(): string {
  const clone = cloneOfClient();
  return clone === undefined
    ? join(ownPackage(), 'dist/node-client.cjs')
    : join(clone, 'src/node-client.cjs');
}

/** The text of the Node client as one executable file. `node` is tried first, then the one on the `PATH`. */
export const nodeClientText = (node: string): string =>
  `${shellHeader(node)}${readFileSync(nodeClientFile(), 'utf8')}`;

/**
 * The file is a shell script and JavaScript at once: to JavaScript each of these lines is a string and a comment. The shell moves
 * variables aside that would make Node run other code, and answers as `--on-failure` says if there is no Node.
 */
function shellHeader(node: string): string {
  if (/[\r\n]/.test(node)) throw new Error(`the path of Node.js has a line break: ${node}`);
  const path = `'${node.replaceAll("'", String.raw`'\''`)}'`;
  const names = 'NODE_OPTIONS NODE_PATH LD_PRELOAD LD_LIBRARY_PATH DYLD_INSERT_LIBRARIES';
  const reason = 'because Node.js is missing. Run: anyhook doctor';
  const json = (text: string): string =>
    JSON.stringify({
      decision: 'deny',
      reason: text,
      permissionDecision: 'deny',
      permissionDecisionReason: text,
    });
  const lines = [
    String.raw`for _n in ${names}; do unset ANYHOOK_CALLER_$_n; eval "[ -z \"\${$_n+x}\" ] || { export ANYHOOK_CALLER_$_n=\"\$$_n\"; unset $_n; }"; done`,
    `_n=${path}; [ -f "$_n" ] && [ -x "$_n" ] || _n=$(command -v node) && exec "$_n" "$0" "$@"`,
    `case " $* " in *" --on-failure refuse-json "*) echo '${json(`anyhook refused this call ${reason}`)}'; exit 0 ;; esac`,
    `case " $* " in *" --on-failure refuse "*) echo 'anyhook refused this call ${reason}' >&2; exit 2 ;; esac`,
    `echo 'anyhook: no hook was called ${reason}' >&2`,
    `case " $* " in *" --on-failure pass-quiet "*) exit 0 ;; esac; exit 1`,
  ];
  return `#!/bin/sh\n${lines.map((line) => `':' //; ${line}\n`).join('')}`;
}

/** `packages/client`, if this package lies in a clone. */
function cloneOfClient(): string | undefined {
  const folder = join(ownPackage(), '../client');
  return existsSync(join(folder, 'src/node-client.cjs')) && nameOf(folder) === '@anyhook/client'
    ? folder
    : undefined;
}

function ownPackage(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (nameOf(folder) !== 'anyhook' && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

function nameOf(folder: string): unknown {
  const file = join(folder, 'package.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { name?: unknown }).name : undefined;
}
