/** Locates the client: the compiled one of a platform, or the one that runs in Node. Copies nothing itself. */

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { ClientSource } from '../agents/shared/bridge.ts';
import { packageFile } from '../own-files.mjs';
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

/**
 * A batch file that starts the Node client beside it, on Windows. It moves the same variables aside as the shell header below. Delayed
 * expansion copies them, so that their values cannot be commands. The last command is the client, so that `||` sees its exit code.
 */
export function batchStarter({ node, isManaged }: ClientRuntime): string {
  if (/[\r\n"]/.test(node)) throw new Error(`the path of Node.js has a quote or a line break: ${node}`);
  const { reason, refusal } = missingNode(isManaged);
  const lines = [
    '@echo off',
    'setlocal EnableExtensions DisableDelayedExpansion',
    `set "ANYHOOK_CLIENT_NODE=${node.replaceAll('%', '%%')}"`,
    'set "ANYHOOK_CLIENT=%~dp0anyhook-client.cjs"',
    'setlocal EnableDelayedExpansion',
    ...['NODE_OPTIONS', 'NODE_PATH'].flatMap((name) => [
      `set "ANYHOOK_CALLER_${name}=!${name}!"`,
      `set "${name}="`,
    ]),
    'if exist "!ANYHOOK_CLIENT_NODE!" goto run',
    ...(isManaged
      ? []
      : [
          'for %%I in (node.exe) do set "ANYHOOK_CLIENT_NODE=%%~$PATH:I"',
          'if defined ANYHOOK_CLIENT_NODE goto run',
        ]),
    'set "mode=pass"',
    ':next',
    'if "%~1"=="" goto missing',
    'if "%~1"=="--on-failure" set "mode=%~2"',
    'shift',
    'goto next',
    ':missing',
    'if "%mode%"=="refuse-json" goto refuse-json',
    'if "%mode%"=="refuse" goto refuse',
    `echo anyhook: no hook was called ${reason} 1>&2`,
    'if "%mode%"=="pass-quiet" exit 0',
    'exit 1',
    ':refuse-json',
    `echo ${refusal}`,
    'exit 0',
    ':refuse',
    `echo anyhook refused this call ${reason} 1>&2`,
    'exit 2',
    ':run',
    '"!ANYHOOK_CLIENT_NODE!" "!ANYHOOK_CLIENT!" %*',
  ];
  return `${lines.join('\r\n')}\r\n`;
}

/** The answer where there is no Node to run the client. */
function missingNode(isManaged: boolean): { readonly reason: string; readonly refusal: string } {
  const reason = `because Node.js is missing. ${isManaged ? 'Ask your administrator' : 'Run: anyhook doctor'}`;
  const text = `anyhook refused this call ${reason}`;
  const refusal = {
    decision: 'deny',
    reason: text,
    permissionDecision: 'deny',
    permissionDecisionReason: text,
  };
  return { reason, refusal: JSON.stringify(refusal) };
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
  const { reason, refusal } = missingNode(isManaged);
  const lines = [
    String.raw`for _n in ${names}; do unset ANYHOOK_CALLER_$_n; eval "[ -z \"\${$_n+x}\" ] || { export ANYHOOK_CALLER_$_n=\"\$$_n\"; unset $_n; }"; done`,
    `_n=${path}; [ -f "$_n" ] && [ -x "$_n" ] ${isManaged ? '' : '|| _n=$(command -v node) '}&& exec "$_n" "$0" "$@"`,
    `case " $* " in *" --on-failure refuse-json "*) echo '${refusal}'; exit 0 ;; esac`,
    `case " $* " in *" --on-failure refuse "*) echo 'anyhook refused this call ${reason}' >&2; exit 2 ;; esac`,
    `echo 'anyhook: no hook was called ${reason}' >&2`,
    `case " $* " in *" --on-failure pass-quiet "*) exit 0 ;; esac; exit 1`,
  ];
  return `#!/bin/sh\n${lines.map((line) => `':' //; ${line}\n`).join('')}`;
}
