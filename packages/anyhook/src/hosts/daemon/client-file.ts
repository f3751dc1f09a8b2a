/** Where the client lies: the compiled one of a platform, and the one that runs in Node. Copies nothing itself. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { ClientSource } from '../../agents/shared/bridge.ts';
import { packageFile } from '../../own-files.mjs';
import { CODE_LOADING } from './caller-environment.ts';

/** The compiled client if there is one, from its optional package or from the build of a clone; otherwise the Node client. */
export function clientFor(platform: NodeJS.Platform, arch: string): ClientSource {
  const file = platform === 'win32' ? 'anyhook-client.exe' : 'anyhook-client';
  try {
    const name = `@anyhook/client-${platform}-${arch}/bin/${file}`;
    return { kind: 'native', file: createRequire(import.meta.url).resolve(name) };
  } catch {
    // the optional package is not installed
  }
  const built = packageFile(`../client/npm/${platform}-${arch}/bin/${file}`);
  return isClone() && existsSync(built) ? { kind: 'native', file: built } : nodeClient();
}

/** Beside an installed package, `../client` would be another package. */
function isClone(): boolean {
  const about = packageFile('../client/package.json');
  return existsSync(about) && readFileSync(about, 'utf8').includes('"name": "@anyhook/client"');
}

/** In a clone that is not built yet, its source. */
export function nodeClient(): ClientSource {
  const built = packageFile('dist/node-client.cjs');
  return { kind: 'node', file: existsSync(built) ? built : packageFile('../client/src/node-client.cjs') };
}

/** What is installed: a copy, or the Node client with a header that finds Node. */
export const clientContent = ({ kind, file }: ClientSource, runtime: ClientRuntime): Buffer =>
  kind === 'native' ? readFileSync(file) : Buffer.from(nodeClientText(readFileSync(file, 'utf8'), runtime));

export interface ClientRuntime {
  readonly node: string;
  /** Root's client starts nothing that a user could put on the `PATH`. */
  readonly isManaged: boolean;
}

/** The text of the Node client as one executable file. `node` is tried first, then the one on the `PATH`. */
const nodeClientText = (source: string, runtime: ClientRuntime): string => `${shellHeader(runtime)}${source}`;

/**
 * The file is a shell script and JavaScript at once: to JavaScript each of these lines is a string and a comment. The shell moves
 * variables aside that would make Node run other code, and answers as `--on-failure` says if there is no Node.
 */
function shellHeader({ node, isManaged }: ClientRuntime): string {
  if (/[\r\n]/.test(node)) throw new Error(`the path of Node.js has a line break: ${node}`);
  const path = `'${node.replaceAll("'", String.raw`'\''`)}'`;
  const names = CODE_LOADING.join(' ');
  const reason = `because Node.js is missing. ${isManaged ? 'Ask your administrator' : 'Run: anyhook doctor'}`;
  const json = (text: string): string =>
    JSON.stringify({
      decision: 'deny',
      reason: text,
      permissionDecision: 'deny',
      permissionDecisionReason: text,
    });
  const lines = [
    String.raw`for _n in ${names}; do unset ANYHOOK_CALLER_$_n; eval "[ -z \"\${$_n+x}\" ] || { export ANYHOOK_CALLER_$_n=\"\$$_n\"; unset $_n; }"; done`,
    `_n=${path}; [ -f "$_n" ] && [ -x "$_n" ] ${isManaged ? '' : '|| _n=$(command -v node) '}&& exec "$_n" "$0" "$@"`,
    `case " $* " in *" --on-failure refuse-json "*) echo '${json(`anyhook refused this call ${reason}`)}'; exit 0 ;; esac`,
    `case " $* " in *" --on-failure refuse "*) echo 'anyhook refused this call ${reason}' >&2; exit 2 ;; esac`,
    `echo 'anyhook: no hook was called ${reason}' >&2`,
    `case " $* " in *" --on-failure pass-quiet "*) exit 0 ;; esac; exit 1`,
  ];
  return `#!/bin/sh\n${lines.map((line) => `':' //; ${line}\n`).join('')}`;
}
