/** Finds commands that cannot start: missing script, missing program, no permission. */

import { basename, resolve } from 'node:path';
import { DIALECTS } from '../../dialects.ts';
import type { Locations } from '../../events/dialect.ts';
import type { Hook, WayOf } from '../../events/hook.ts';
import { isBlank } from '../../library/idle-hooks.ts';
import { hasWindowsShebang, shebangOf } from '../../runners/command/shebang.mjs';
import { readScript } from '../../shell/read-script.ts';
import { fillDefaults } from '../look/fill-defaults.ts';
import { isProgram, onPath } from '../look/find-agents.ts';
import type { DoctorFinding } from '../look/finding.ts';
import { isExecutable, isFile } from '../look/strays.ts';
import type { Lint } from './lint.ts';

export const scripts: Lint = ({ hooks, locations }) =>
  hooks.flatMap((hook) => {
    const { run, origin, id } = hook;
    if (run.kind !== 'command') return [];
    const fault = faultOf(run, hook, locations);
    const severity = hook.roles.includes('guard') ? 'error' : 'warning';
    return fault === undefined
      ? []
      : [{ severity, ...fault, file: origin.file, line: origin.line, hook: id } satisfies DoctorFinding];
  });

type Fault = Omit<DoctorFinding, 'file' | 'line' | 'hook' | 'severity'>;
const INTERPRETERS = /^(?:node|nodejs|bun|deno|tsx|python[\d.]*|ruby|perl|php|bash|sh|dash|zsh|fish)$/;
const BUILTINS = new Set(
  'true false : exit echo printf test [ [[ cd read set export eval exec source . return local if case for while until trap type command builtin declare let'.split(
    ' ',
  ),
);

function faultOf(run: WayOf<'command'>, hook: Hook, locations: Locations): Fault | undefined {
  if (isBlank(hook)) return NOTHING;
  const folder = run.cwd ?? locations.cwd;
  const fill = filling(run, folder, locations);
  const [name, ...args] = wordsOf(run, fill);
  if (name === undefined) return undefined;
  const at = (word: string) => resolved(word, folder, locations);
  const own = at(name);
  if (name.includes('/')) return own === undefined ? undefined : fileFault(own, name, locations);
  if (BUILTINS.has(name)) return undefined;
  if (onPath(name, locations) === undefined) return noProgram(name, hook);
  if (!INTERPRETERS.test(name)) return undefined;
  const script = args.find((arg) => !arg.startsWith('-'));
  const isCode = args.some((arg) => /^-[a-z]*[ce]$|^--eval$|^-m$|^-p$/.test(arg));
  const file = script === undefined || isCode || !looksLikePath(script) ? undefined : at(script);
  return file === undefined || isFile(file) ? undefined : noScript(script!, file);
}

/**
 * Only the first command, because later ones may never run. Commands that change folder or have an alternative are not judged.
 */
function wordsOf({ run }: WayOf<'command'>, fill: (text: string) => string): readonly string[] {
  if ('argv' in run) return run.argv;
  if (/\|\||(?:^|[;&|\s])(?:cd|pushd)\s/.test(run.line)) return [];
  const words = readScript(fill(run.line)).commands[0]?.words ?? [];
  return words.map(({ value, text }) => (/[$`]/.test(text) ? text : value)); // values known only at run time stay as written
}

const looksLikePath = (word: string): boolean =>
  word.includes('/') || /\.(?:[cm]?[jt]s|py|rb|pl|php|sh)$/.test(word);

/** Substitutes the variables that are known before it runs. */
function filling(
  { set = {} }: WayOf<'command'>,
  folder: string,
  { home, cwd, env }: Locations,
): (text: string) => string {
  const projects = Object.fromEntries(
    DIALECTS.flatMap(({ projectVariable }) =>
      projectVariable === undefined ? [] : [[projectVariable, cwd]],
    ),
  ) as Readonly<Record<string, string>>;
  const vars: Readonly<Record<string, string>> = { HOME: home, PWD: folder, ...projects, ...set };
  const known = (text: string) =>
    text.replaceAll(/\$\{(\w+)\}|\$(\w+)/g, (whole, a?: string, b?: string) => vars[a ?? b ?? ''] ?? whole);
  return (text) => known(fillDefaults(text, { ...env, ...vars }));
}

/** Undefined if the value is known only at run time. */
function resolved(word: string, folder: string, { home }: Locations): string | undefined {
  const path = word.replace(/^~(?=\/)/, home);
  return /[$`*?]/.test(path) ? undefined : resolve(folder, path);
}

function fileFault(file: string, word: string, locations: Locations): Fault | undefined {
  if (!isFile(file)) return noScript(word, file);
  if (!isExecutable(file))
    return {
      code: 'not-executable',
      what: `${word} is not executable.`,
      why: 'It cannot start. Its failure policy decides what that means.',
      remedy: `To make it executable: chmod +x ${file}`,
    };
  if (hasWindowsShebang(file))
    return {
      code: 'windows-line-ends',
      what: `The first line of ${word} ends with a carriage return.`,
      why: 'The system looks for an interpreter of that name, and does not find it: the script cannot start.',
      remedy: `Save it with LF line ends: sed -i 's/\\r$//' ${file}`,
    };
  const wanted = interpreterOf(file);
  if (
    wanted === undefined ||
    (wanted.includes('/') ? isProgram(wanted) : onPath(wanted, locations) !== undefined)
  )
    return undefined;
  return {
    code: 'missing-interpreter',
    what: `${word} asks for ${wanted} in its first line, which does not exist.`,
    why: 'It cannot start.',
    remedy: `Install ${basename(wanted)}, or change the line.`,
  };
}

function interpreterOf(file: string): string | undefined {
  const [program = '', ...rest] = shebangOf(file)?.trim().split(/\s+/) ?? [];
  if (program === '') return undefined;
  return basename(program) === 'env' ? rest.find((word) => !/^-|=/.test(word)) : program;
}

const NOTHING: Fault = {
  code: 'blank-command',
  what: 'The command is empty or only a comment.',
  why: 'It does nothing and succeeds, so whatever it should guard passes.',
  remedy: 'Write the command to run, or remove the hook.',
};
const noScript = (word: string, file: string): Fault => ({
  code: 'missing-script',
  what: `${word} is not there.`,
  why: `It was looked for at ${file}. A missing script can look like an answer: python and node exit with 1 or 2.`,
  remedy: 'Create it, or correct the path.',
});
const noProgram = (name: string, { on }: Hook): Fault => ({
  code: 'missing-program',
  what: `The program ${JSON.stringify(name)} is not on the PATH.`,
  why: `The hook on ${on} cannot start.`,
  remedy: `Install ${name}, or write its full path.`,
});
