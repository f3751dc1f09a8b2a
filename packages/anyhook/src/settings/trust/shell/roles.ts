/**
 * What each word of a simple command is for. `run` and `source` are code; `script` is shell text; `read` may be read
 * by the program; `named` is looked at by name only; `written` is where output goes; `program` is looked up in `PATH`.
 */
export type WordRole = 'program' | 'run' | 'source' | 'script' | 'read' | 'named' | 'written' | 'option';

/** A wrapper runs the rest of its words: options that take a value, then this many words of its own. */
const WRAPPERS: Readonly<
  Record<string, { values?: readonly string[]; own?: number; sub?: readonly string[] }>
> = {
  busybox: {},
  bunx: {},
  builtin: {},
  bundle: { sub: ['exec'] },
  caffeinate: { values: ['-t', '-w'] },
  chronic: {},
  command: {},
  doas: { values: ['-u', '-C'] },
  env: { values: ['-u', '--unset', '-C', '--chdir'] },
  exec: { values: ['-a'] },
  flock: { values: ['-w', '-E'], own: 1 },
  ionice: { values: ['-c', '-n'] },
  nice: { values: ['-n'] },
  nohup: {},
  npx: { values: ['-p', '--package'] },
  pipenv: { sub: ['run'] },
  pnpm: { sub: ['exec', 'dlx'] },
  poetry: { sub: ['run'] },
  setsid: {},
  stdbuf: { values: ['-i', '-o', '-e'] },
  sudo: { values: ['-u', '-g', '-h', '-p', '-C', '-D'] },
  time: { values: ['-f', '-o'] },
  timeout: { values: ['-k', '-s', '--signal', '--kill-after'], own: 1 },
  uv: { sub: ['run'], values: ['--with', '-p', '--python', '--project'] },
  xargs: { values: ['-I', '-n', '-P', '-L', '-d', '-s', '-a', '-E'] },
  yarn: { sub: ['exec', 'dlx'] },
};

/** An interpreter runs its first operand. `code` options hold the program as text, `loads` name more files to run. */
interface Interpreter {
  readonly code?: readonly string[];
  readonly loads?: readonly string[];
  readonly values?: readonly string[];
  readonly sub?: readonly string[];
}
const NODE: Interpreter = {
  code: ['-e', '--eval', '-p', '--print', '-pe'],
  loads: ['-r', '--require', '--import', '--loader', '--experimental-loader', '--preload'],
  values: ['-C', '--conditions', '--env-file', '--tsconfig'],
};
const PYTHON: Interpreter = { code: ['-c', '-m'], values: ['-W', '-X', '-Q'] };
const LETTERED: Interpreter = { code: ['-e', '-E'], values: ['-I', '-r', '-d', '-c'] };
const INTERPRETERS: Readonly<Record<string, Interpreter>> = {
  bun: { ...NODE, sub: ['run'] },
  deno: { values: ['-c', '--config'], sub: ['run'] },
  fish: { code: ['-c'] },
  lua: { code: ['-e'], values: ['-l'] },
  node: NODE,
  nodejs: NODE,
  osascript: { code: ['-e'], values: ['-l'] },
  perl: LETTERED,
  php: { code: ['-r'], loads: ['-f'], values: ['-d', '-c'] },
  pwsh: { code: ['-Command', '-c'], loads: ['-File', '-f'] },
  pypy: PYTHON,
  pypy3: PYTHON,
  python: PYTHON,
  ruby: LETTERED,
  Rscript: { code: ['-e'] },
  'ts-node': { code: ['-e', '-p'], loads: ['-r'], values: ['-P', '--project'] },
  tsx: NODE,
};
const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'mksh', 'ash']);
/** Programs whose `-f` names a program to run. */
const BY_FILE = new Set(['make', 'gmake', 'awk', 'gawk', 'mawk', 'sed', 'jq']);
/** They look at names, not at content. */
const BLIND = new Set([
  '[',
  'test',
  'echo',
  'printf',
  'basename',
  'dirname',
  'ls',
  'cd',
  'pushd',
  'which',
  'type',
  'hash',
]);
const WRITERS = new Set(['tee', 'touch', 'rm', 'rmdir', 'mkdir', 'truncate', 'unlink']);

/** `undefined` is a word that is only known when it runs. */
export type ScriptWords = readonly (string | undefined)[];

export function rolesOf(words: ScriptWords): WordRole[] {
  const roles: WordRole[] = words.map(() => 'read');
  let at = 0;
  for (;;) {
    const name = words[at];
    if (name === undefined) return roles;
    roles[at] = name.includes('/') ? 'run' : 'program';
    const base = name.slice(name.lastIndexOf('/') + 1);
    const next = afterWrapper(words, at, base, roles);
    if (next === undefined) {
      assign(words, at, base, roles);
      return roles;
    }
    at = next;
  }
}

/** Where the wrapped command begins, or nothing when this is no wrapper. */
function afterWrapper(words: ScriptWords, at: number, base: string, roles: WordRole[]): number | undefined {
  const wrapper = Object.hasOwn(WRAPPERS, base) ? WRAPPERS[base] : undefined;
  if (wrapper === undefined) return undefined;
  let i = at + 1;
  if (wrapper.sub !== undefined) {
    if (!wrapper.sub.includes(words[i] ?? '')) return undefined;
    roles[i++] = 'option';
  }
  if (base === 'command' && /^-[vV]/.test(words[i] ?? '')) return undefined;
  i = skipOptions(words, i, wrapper.values ?? [], roles);
  while (base === 'env' && /^\w+=/.test(words[i] ?? '')) i++;
  i += wrapper.own ?? 0;
  return i < words.length ? i : undefined;
}

function skipOptions(words: ScriptWords, from: number, values: readonly string[], roles: WordRole[]): number {
  let i = from;
  for (; i < words.length; i++) {
    const word = words[i];
    if (word === undefined || !word.startsWith('-') || word === '-') return i;
    roles[i] = word.includes('=') ? 'read' : 'option';
    if (word === '--') return i + 1;
    if (values.includes(word)) i++;
  }
  return i;
}

function assign(words: ScriptWords, at: number, base: string, roles: WordRole[]): void {
  const rest = (role: WordRole) => roles.fill(role, at + 1);
  const interpreter = interpreterOf(base);
  if (SHELLS.has(base)) assignShell(words, at, roles);
  else if (interpreter !== undefined) assignInterpreter(words, at, interpreter, roles);
  else if (base === '.' || base === 'source') {
    const operand = words[at + 1] === '--' ? at + 2 : at + 1;
    if (operand < roles.length) roles[operand] = 'source';
  } else if (base === 'eval') rest('script');
  else if (base === 'trap') {
    if (at + 1 < roles.length) roles[at + 1] = 'script';
  } else if (BLIND.has(base) || base === 'command') rest('named');
  else if (WRITERS.has(base)) rest('written');
  else if (BY_FILE.has(base)) {
    for (let i = at + 1; i < words.length - 1; i++)
      if (/^(-f|--from-file|--file)$/.test(words[i] ?? '')) roles[i + 1] = 'run';
  }
}

function interpreterOf(base: string): Interpreter | undefined {
  const family = /^(python|pypy|ruby|perl|php|lua|node)[\d.]+$/.exec(base)?.[1] ?? base;
  return Object.hasOwn(INTERPRETERS, family) ? INTERPRETERS[family] : undefined;
}

function assignShell(words: ScriptWords, at: number, roles: WordRole[]): void {
  let i = at + 1;
  let isText = false;
  for (; i < words.length; i++) {
    const word = words[i];
    if (word === undefined || !/^[-+]./.test(word)) break;
    roles[i] = 'option';
    if (word === '--') {
      i++;
      break;
    }
    if (/^-[a-z]*c[a-z]*$/i.test(word) && !word.startsWith('--')) isText = true;
    if (/^[-+][a-z]*[oO]$/.test(word) || word === '--rcfile' || word === '--init-file') i++;
    if ((word === '--rcfile' || word === '--init-file') && i < roles.length) roles[i] = 'run';
  }
  if (i < roles.length) roles[i] = isText ? 'script' : 'run';
}

function assignInterpreter(words: ScriptWords, at: number, how: Interpreter, roles: WordRole[]): void {
  let i = at + 1;
  if (how.sub?.includes(words[i] ?? '')) roles[i++] = 'option';
  for (; i < words.length; i++) {
    const word = words[i];
    if (word === undefined || !word.startsWith('-') || word === '-') break;
    const isLoad = how.loads?.includes(word.split('=', 1)[0] ?? '') ?? false;
    roles[i] = isLoad && word.includes('=') ? 'run' : word.includes('=') ? 'read' : 'option';
    if (how.code?.includes(word)) return;
    if (word === '--') {
      i++;
      break;
    }
    if (isLoad && !word.includes('=')) {
      if (++i < roles.length) roles[i] = 'run';
    } else if (how.values?.includes(word)) i++;
  }
  // An operand that is only known at run time is still the one that runs; what follows it is for the script.
  if (i < roles.length) roles[i] = 'run';
}
