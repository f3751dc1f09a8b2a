/**
 * Compiles the native client into `npm/<platform>/bin`, the folder of its platform package. Without arguments only for this
 * machine, with names of platforms for those, with `--all` for every platform that a compiler is installed for.
 */

import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = dirname(fileURLToPath(import.meta.url));
const COMMON = ['-std=c11', '-Wall', '-Wextra', '-Werror', '-Os'];
// Two builds in different folders give the same bytes.
const REPRODUCIBLE = ['-ffile-prefix-map=.=client', '-fno-ident', '-g0'];
const ELF = ['-s', '-Wl,--build-id=none'];
const POSIX = ['client.c', 'posix.c'];

/**
 * Compilers in order of preference. A static client starts faster, and `LD_PRELOAD` does not reach it.
 * @type {Record<string, readonly { readonly cc: string, readonly flags: readonly string[] }[]>}
 */
const COMPILERS = {
  'linux-x64': [
    { cc: 'musl-gcc', flags: [...ELF, '-static'] },
    { cc: 'cc', flags: [...ELF, '-static'] },
    { cc: 'cc', flags: ELF },
  ],
  'linux-arm64': [
    { cc: 'aarch64-linux-gnu-gcc', flags: [...ELF, '-static'] },
    { cc: 'cc', flags: [...ELF, '-static'] },
    { cc: 'cc', flags: ELF },
  ],
  'darwin-arm64': [{ cc: 'cc', flags: ['-arch', 'arm64', '-Wl,-no_uuid'] }],
  'darwin-x64': [{ cc: 'cc', flags: ['-arch', 'x86_64', '-Wl,-no_uuid'] }],
  'win32-x64': [
    {
      cc: 'x86_64-w64-mingw32-gcc',
      flags: ['-s', '-municode', '-static', '-Wl,--no-insert-timestamp', '-ladvapi32'],
    },
  ],
};
const HOST = `${process.platform}-${process.arch}`;
/** Where the compiler called `cc` builds for. */
const isNative = (/** @type {string} */ platform) =>
  platform === HOST || (process.platform === 'darwin' && platform.startsWith('darwin-'));

/** @param {string} platform */
export const clientFile = (platform) =>
  join(HERE, 'npm', platform, 'bin', platform.startsWith('win32-') ? 'anyhook-client.exe' : 'anyhook-client');

/**
 * Returns the compiler that was used; undefined if none could be.
 * @param {string} platform @param {string} file
 */
export function compile(platform, file) {
  const sources = platform.startsWith('win32-') ? ['client.c', 'windows.c'] : POSIX;
  let problem = '';
  for (const { cc, flags } of COMPILERS[platform] ?? []) {
    if (cc === 'cc' && !isNative(platform)) continue;
    mkdirSync(dirname(file), { recursive: true });
    rmSync(file, { force: true });
    const args = [...COMMON, ...REPRODUCIBLE, ...sources, '-o', file, ...flags];
    const { status, stderr } = spawnSync(cc, args, { cwd: join(HERE, 'src'), encoding: 'utf8' });
    if (status === 0) {
      chmodSync(file, 0o755);
      return [cc, ...flags.filter((flag) => flag === '-static')].join(' ');
    }
    if (status !== null) problem += stderr;
  }
  // A compiler that rejects our code is an error. One that is missing, or lacks headers or static libraries, is not.
  if (
    /^client|^posix|^windows/m.test(problem) &&
    /(?<!fatal )\berror: /.test(problem.replaceAll('error: ld returned', ''))
  )
    throw new Error(problem);
  return undefined;
}

/** @param {readonly string[]} platforms */
function build(platforms) {
  for (const platform of platforms) {
    const compiler = compile(platform, clientFile(platform));
    const result =
      compiler === undefined ? 'no compiler found; the Node client is used' : `compiled with ${compiler}`;
    process.stdout.write(`client ${platform}: ${result}\n`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const platforms = process.argv.slice(2).filter((name) => name in COMPILERS);
  build(process.argv.includes('--all') ? Object.keys(COMPILERS) : platforms.length > 0 ? platforms : [HOST]);
}
export { build, COMPILERS, HOST };
