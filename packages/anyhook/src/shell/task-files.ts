/** What task runners run: targets of a Makefile, recipes of a justfile, scripts of a package.json. */

import { codeIn } from './code-in.ts';
import { combine, type Inner, NOTHING, runsText } from './inner.ts';
import { readOptions } from './options.ts';
import type { RunFile } from './script-file.ts';
import { fixedWord, type ShellWord } from './word.ts';

const MAKEFILES = ['GNUmakefile', 'makefile', 'Makefile'];
const MAKE = {
  short: 'bC:dB:eE:f:hiI:j::kl::nNo:O::pqrRsStvwW:',
  long: 'file: makefile: directory: jobs:: include-dir: keep-going silent quiet always-make dry-run just-print recon eval: no-print-directory output-sync:: question touch version help debug:: old-file: what-if: load-average::',
};

/** Runs the recipes of the targets, and of what these need. */
export function runsMake(args: readonly ShellWord[]): Inner {
  const words = allOptions(args, MAKE);
  const folder = words.valueOf('-C', '--directory');
  const named = words.valueOf('-f', '--file', '--makefile');
  const settings = new Map<string, string>();
  const targets: string[] = [];
  for (const { value } of words.operands) {
    const [, name, text = ''] = /^(\w+)[:?+]*=(.*)$/s.exec(value) ?? [];
    if (name === undefined) targets.push(value);
    else settings.set(name, text);
  }
  if (words.has('-h', '-v', '--help', '--version')) return NOTHING;
  const paths = named === undefined ? MAKEFILES : [named];
  const read = (text: string): Inner => makeTargets(text, targets, settings, folder);
  const part = [...targets, ...settings.values()].join(' ');
  return { ...NOTHING, files: paths.map((path) => ({ path, part, read, ...(folder && { folder }) })) };
}

interface MakeRule {
  readonly targets: readonly string[];
  readonly needs: readonly string[];
  readonly recipe: string[];
}

const LONGEST_EXPANDED = 8 * 1024;
const MOST_RECIPE_LINES = 1_000;

function makeTargets(
  text: string,
  wanted: readonly string[],
  given: ReadonlyMap<string, string>,
  folder: string | undefined,
): Inner {
  const { rules, rest, included } = readMakefile(text);
  const known = new Map([...variablesIn(rest), ...given]);
  const first = rules.flatMap(({ targets }) => targets).find((target) => !/^\.|%/.test(target));
  const start = wanted.length > 0 ? wanted : first === undefined ? [] : [first];
  const needed = neededRules(rules, start, (line) => expanded(line, known));
  const recipes = needed.flatMap(({ rule, target }) =>
    rule.recipe.map((line) => `\t${automatic(line, rule, target)}`),
  );
  const shells = rest.filter((line) => /\$[({]shell\s|!=/.test(line));
  const texts = [...shells, ...recipes].slice(0, MOST_RECIPE_LINES).map((line) => expanded(line, known));
  const more = included
    .flatMap((line) => expanded(line, known).split(/\s+/))
    .filter((path) => path !== '' && !/[$*?]/.test(path))
    .map((path): RunFile => {
      const read = (inner: string): Inner => makeTargets(inner, wanted, known, folder);
      return { path, part: wanted.join(' '), read, ...(folder && { folder }) };
    });
  const lines = [...new Set(texts)].map((line) => codeIn(line, 'make', 'make'));
  return { ...combine(...lines), ...(more.length > 0 && { files: more }) };
}

function readMakefile(text: string) {
  const rules: MakeRule[] = [];
  const rest: string[] = [];
  const included: string[] = [];
  let open: MakeRule | undefined;
  for (const line of text.replaceAll('\\\n', ' ').split('\n')) {
    const [, recipe] = /^\t(.*)$/s.exec(line) ?? [];
    if (recipe !== undefined) {
      open?.recipe.push(recipe);
      continue;
    }
    if (/^\s*(?:#|$)/.test(line)) continue;
    const [, path] = /^\s*[-s]?include\s+(.+)$/.exec(line) ?? [];
    if (path !== undefined) included.push(path);
    const [, names, needs, own] =
      /^([^\s#:=][^#:=]*?)\s*::?(?!=)\s*([^;#=]*?)(?:\s*;\s*(.*)|\s*#.*)?$/s.exec(line) ?? [];
    if (names === undefined || path !== undefined) {
      rest.push(line);
      continue;
    }
    open = { targets: wordsOf(names), needs: wordsOf(needs), recipe: own === undefined ? [] : [own] };
    rules.push(open);
  }
  return { rules, rest, included };
}

const wordsOf = (text = ''): string[] => text.split(/\s+/).filter((word) => word !== '' && word !== '|');

function variablesIn(lines: readonly string[]): Map<string, string> {
  const known = new Map<string, string>();
  for (const line of lines) {
    const [, name, sign, value = ''] =
      /^\s*(?:export\s+|override\s+)?([A-Za-z_]\w*)\s*([:?+]{0,3})=\s*(.*?)\s*(?:#.*)?$/.exec(line) ?? [];
    if (name === undefined || /\$[({](?:shell|eval|call|foreach)\b/.test(value)) continue;
    if (sign === '?' && known.has(name)) continue;
    known.set(name, sign === '+' ? `${known.get(name) ?? ''} ${value}` : value);
  }
  return known;
}

/** Replaces variables that the file assigns. Others keep their spelling, and so do all after a limit on the length. */
function expanded(text: string, known: ReadonlyMap<string, string>): string {
  let now = text;
  for (let round = 0; round < 5; round++) {
    const next = replaced(
      now,
      /(?<!\$)\$(?:\(([A-Za-z_]\w*)\)|\{([A-Za-z_]\w*)\})/g,
      (whole, round, curly) => known.get(round ?? curly ?? '') ?? whole,
    );
    if (next === now) break;
    now = next;
  }
  return now;
}

type Replace = (whole: string, ...groups: (string | undefined)[]) => string;

/** Variables that contain variables may grow without end, so only so much text is inserted. */
function replaced(text: string, pattern: RegExp, value: Replace): string {
  let room = LONGEST_EXPANDED;
  return text.replaceAll(pattern, (whole: string, ...groups: (string | undefined)[]) => {
    const inserted = value(whole, ...groups);
    if (inserted.length > room) return whole;
    room -= inserted.length;
    return inserted;
  });
}

/** `$@`, `$<` and `$^` in a recipe. */
const automatic = (line: string, { needs }: MakeRule, target: string): string =>
  replaced(line, /(?<!\$)\$(?:([@<^+?])|[({]([@<^+?])[)}])/g, (_, bare, quoted) => {
    const name = bare ?? quoted;
    if (name === '@') return target;
    return name === '<' ? (needs[0] ?? '') : needs.join(' ');
  });

function neededRules(rules: readonly MakeRule[], start: readonly string[], expand: (text: string) => string) {
  const found: { readonly rule: MakeRule; readonly target: string }[] = [];
  const open = [...start];
  const all = rules.map((rule) => ({ rule, names: rule.targets.flatMap((name) => wordsOf(expand(name))) }));
  const seen = new Set<string>();
  for (let target = open.pop(); target !== undefined; target = open.pop()) {
    if (seen.has(target)) continue;
    seen.add(target);
    const exact = all.filter(({ names }) => names.includes(target));
    const hasRecipe = exact.some(({ rule }) => rule.recipe.length > 0);
    const patterns = all.filter(({ names }) => names.some((name) => isPatternFor(name, target)));
    for (const { rule } of hasRecipe ? exact : [...exact, ...patterns]) {
      found.push({ rule, target });
      open.push(...rule.needs.flatMap((need) => wordsOf(expand(need))));
    }
  }
  return found;
}

function isPatternFor(pattern: string, target: string): boolean {
  const at = pattern.indexOf('%');
  return at !== -1 && target.startsWith(pattern.slice(0, at)) && target.endsWith(pattern.slice(at + 1));
}

const JUST = {
  short: 'f:d:nlvqyh',
  long: 'justfile: working-directory: set: dry-run list summary show: yes',
};

export function runsJust(args: readonly ShellWord[]): Inner {
  const words = allOptions(args, JUST);
  if (words.has('-l', '--list', '--summary', '--show', '-n', '--dry-run', '-h')) return NOTHING;
  const targets = words.operands.map(({ value }) => value);
  const read = (text: string): Inner => justRecipes(text, targets);
  const named = words.valueOf('-f', '--justfile');
  const part = targets.join(' ');
  return {
    ...NOTHING,
    files:
      named === undefined
        ? ['justfile', 'Justfile', '.justfile'].map((path) => ({ path, part, read, isSearchedUpward: true }))
        : [{ path: named, part, read }],
  };
}

function justRecipes(text: string, wanted: readonly string[]): Inner {
  const rules: MakeRule[] = [];
  const known = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, body] = /^[ \t]+(.*)$/.exec(line) ?? [];
    const [, name, needs] = /^@?([A-Za-z_][\w-]*)(?:\s+[^:#]*)?:(?!=)\s*([^#]*)/.exec(line) ?? [];
    const [, variable, value] = /^(?:export\s+)?([A-Za-z_][\w-]*)\s*:=\s*(["'])(.*?)\2/
      .exec(line)
      ?.filter((_, at) => at !== 2) ?? [undefined, undefined, undefined];
    if (body !== undefined) rules.at(-1)?.recipe.push(body);
    else if (variable !== undefined) known.set(variable, value ?? '');
    else if (name !== undefined)
      rules.push({
        targets: [name],
        needs: wordsOf(needs?.replaceAll(/[()&]|"[^"]*"|'[^']*'/g, ' ')),
        recipe: [],
      });
  }
  const first = rules[0]?.targets ?? [];
  const start = wanted.some((name) => rules.some(({ targets }) => targets.includes(name))) ? wanted : first;
  return combine(
    ...neededRules(rules, start, (need) => need).map(({ rule }) => {
      const lines = rule.recipe.map((line) =>
        replaced(
          line.replace(/^[@-]+/, ''),
          /\{\{\s*([\w-]*)[^}]*\}\}/g,
          (_, name) => known.get(name ?? '') ?? '$just',
        ),
      );
      return runsText(fixedWord(lines.join('\n')));
    }),
  );
}

const RUNNERS = /^(?:npm|pnpm|yarn|bun)$/;
const OWN_SCRIPTS: Readonly<Record<string, readonly string[]>> = {
  t: ['test'],
  tst: ['test'],
  test: ['test'],
  start: ['start'],
  stop: ['stop'],
  restart: ['stop', 'restart', 'start'],
  i: ['install', 'prepare'],
  install: ['install', 'prepare'],
  ci: ['install', 'prepare'],
  publish: ['publish', 'prepublishOnly', 'prepare', 'prepack'],
  pack: ['prepack', 'prepare'],
  version: ['version'],
};
const NPM = {
  short: 'C:F:w:sgDP',
  long: 'prefix: dir: cwd: filter: workspace: silent if-present workspaces recursive ignore-scripts parallel',
};

export function runsPackageScript(args: readonly ShellWord[], name: string): Inner {
  const words = allOptions(args, NPM);
  if (words.has('--ignore-scripts')) return NOTHING;
  const [command, ...rest] = words.operands;
  const folder = words.valueOf('-C', '--prefix', '--dir', '--cwd');
  const workspace = words.valueOf('-w', '--workspace', '-F', '--filter');
  const folders = folder === undefined ? workspaceFolders(workspace) : [folder];
  if (command === undefined) return NOTHING;
  const isRun = /^(?:run|run-script|rum|urn)$/.test(command.value);
  if (!isRun && name === 'npm' && !Object.hasOwn(OWN_SCRIPTS, command.value)) return NOTHING;
  const [script, given] = isRun ? [rest[0], rest.slice(1)] : [command, rest];
  if (script === undefined || !RUNNERS.test(name)) return NOTHING;
  const names = isRun ? [script.value] : (OWN_SCRIPTS[script.value] ?? [script.value]);
  return packageScripts(names, given, folders);
}

/** `run-s clean build:*`, `npm-run-all --parallel a b`. */
export const runsScriptList = (args: readonly ShellWord[]): Inner =>
  packageScripts(
    args.filter(({ lead }) => !lead.startsWith('-')).map(({ value }) => value),
    [],
    [],
  );

function packageScripts(
  names: readonly string[],
  given: readonly ShellWord[],
  folders: readonly string[],
): Inner {
  const read = (text: string): Inner => {
    const scripts = scriptsOf(text);
    const wanted = names.flatMap((name) => matchingNames(name, Object.keys(scripts)));
    const all = wanted.flatMap((name) => [`pre${name}`, name, `post${name}`]);
    const tail = given.map((word) => ` ${word.text}`).join('');
    return combine(
      ...all.flatMap((name) => {
        const script = Object.hasOwn(scripts, name) ? scripts[name] : undefined;
        if (typeof script !== 'string') return [];
        return [runsText(fixedWord(wanted.includes(name) ? `${script}${tail}` : script))];
      }),
    );
  };
  const part = [...names, '--', ...given.map(({ value }) => value)].join(' ');
  const file: RunFile = { path: 'package.json', part, read };
  return {
    ...NOTHING,
    files:
      folders.length === 0
        ? [{ ...file, isSearchedUpward: true }]
        : folders.map((folder) => ({ ...file, folder })),
  };
}

/** Where a workspace usually is; its name may be a path, or the name of a package. */
function workspaceFolders(name: string | undefined): readonly string[] {
  if (name === undefined) return [];
  const base = name.slice(name.lastIndexOf('/') + 1);
  return [name, `packages/${base}`, `apps/${base}`, base];
}

function matchingNames(name: string, scripts: readonly string[]): string[] {
  if (!name.includes('*')) return [name];
  const [start = ''] = name.split('*');
  return scripts.filter((script) => script.startsWith(start));
}

function scriptsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const { scripts } = JSON.parse(text) as { scripts?: unknown };
    return typeof scripts === 'object' && scripts !== null ? { ...scripts } : {};
  } catch {
    return {}; // The runner cannot read the file either.
  }
}

/** Options may stand between operands. */
function allOptions(args: readonly ShellWord[], spec: { readonly short: string; readonly long: string }) {
  const found: { readonly name: string; readonly value?: ShellWord }[] = [];
  const operands: ShellWord[] = [];
  let rest = args;
  for (let first = rest[0]; first !== undefined; first = rest[0]) {
    if (first.value === '--') {
      operands.push(...rest.slice(1));
      break;
    }
    const read = readOptions(rest, spec);
    found.push(...read.found);
    const [operand, ...more] = read.rest;
    if (operand !== undefined) operands.push(operand);
    rest = more;
  }
  return {
    operands,
    has: (...names: string[]) => found.some(({ name }) => names.includes(name)),
    valueOf: (...names: string[]) => found.findLast(({ name }) => names.includes(name))?.value?.value,
  };
}
