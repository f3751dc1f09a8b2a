/** Files of the user that interpreters and tools read when they start. */

import { readdirSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { Locations } from '../../events/dialect.ts';

type Around = Pick<Required<Locations>, 'cwd' | 'home' | 'env'>;
type StartUp = (around: Around) => readonly string[];

const atHome =
  (...names: readonly string[]): StartUp =>
  ({ home }) =>
    names.map((name) => join(home, name));

/** Start-up files by program. A path that ends with a slash is a folder, in which a new name counts as a change. */
const START_UP: readonly (readonly [program: RegExp, files: StartUp])[] = [
  [/\bzsh\b/, ({ home, env }) => [join(env['ZDOTDIR'] ?? home, '.zshenv')]],
  [/\bfish\b/, fishStartUp],
  [/\bt?csh\b/, atHome('.tcshrc', '.cshrc')],
  [
    /\b(?:pwsh|powershell)\b/,
    atHome('.config/powershell/profile.ps1', '.config/powershell/Microsoft.PowerShell_profile.ps1'),
  ],
  [/\b(?:ba|k|mk|da)?sh\b/, ({ env }) => [env['BASH_ENV'] ?? '', env['ENV'] ?? ''].filter(isAbsolute)],
  [/\bjq\b/, atHome('.jq')],
  [/\bcurl\b/, atHome('.curlrc', '.config/curlrc')],
  [/\bwget\b/, atHome('.wgetrc')],
  [/\bsqlite3\b/, atHome('.sqliterc', '.config/sqlite3/sqliterc')],
  [/\b(?:npm|npx|pnpm|yarn)\b/, ({ home, cwd }) => [join(home, '.npmrc'), join(cwd, '.npmrc')]],
  [/\bbunx?\b/, ({ home, cwd }) => [join(home, '.bunfig.toml'), join(cwd, 'bunfig.toml')]],
  [/\bdeno\b/, ({ cwd }) => [join(cwd, 'deno.json'), join(cwd, 'deno.jsonc')]],
  [/\b(?:R|Rscript)\b/, ({ home, cwd }) => [join(home, '.Rprofile'), join(cwd, '.Rprofile')]],
  [/\bjulia\b/, atHome('.julia/config/startup.jl')],
  [
    /\bperl\b/,
    (around) => listed('PERL5LIB', around).flatMap((folder) => [folder, `${folder}sitecustomize.pl`]),
  ],
  [/\bpython[\d.]*\b|\bpypy/, (around) => [...listed('PYTHONPATH', around), ...pythonStartUp(around)]],
];
const INTERACTIVE_BASH = /\b(?:ba)?sh\b[^|;&\n]*\s(?:-\w*[il]\w*|--login|--interactive)(?=\s|$)/;
const INTERACTIVE_ZSH = /\bzsh\b[^|;&\n]*\s(?:-\w*[il]\w*|--login|--interactive)(?=\s|$)/;

/** `programs`: the names that a guard runs. `lines`: its command line and its shell scripts. */
export function startUpFiles(
  programs: readonly string[],
  lines: readonly string[],
  around: Around,
): readonly string[] {
  const found = START_UP.flatMap(([program, files]) =>
    programs.some((name) => program.test(name)) ? files(around) : [],
  );
  const bash = lines.some((line) => INTERACTIVE_BASH.test(line))
    ? atHome('.bashrc', '.bash_profile', '.bash_login', '.profile')(around)
    : [];
  const zsh = lines.some((line) => INTERACTIVE_ZSH.test(line))
    ? ['.zprofile', '.zshrc', '.zlogin'].map((name) => join(around.env['ZDOTDIR'] ?? around.home, name))
    : [];
  return [...new Set([...found, ...bash, ...zsh])];
}

/** Settings, and the folders in which fish finds functions and settings by name. */
function fishStartUp({ home, env }: Around): string[] {
  const base = join(env['XDG_CONFIG_HOME'] ?? join(home, '.config'), 'fish');
  return [
    join(base, 'config.fish'),
    ...['conf.d', 'functions'].flatMap((name) => [
      `${join(base, name)}/`,
      ...namesIn(join(base, name)).map((file) => join(base, name, file)),
    ]),
  ];
}
/** `usercustomize`, `sitecustomize` and `*.pth` of the user's own site folder. */
function pythonStartUp({ home }: Around): string[] {
  const base = join(home, '.local', 'lib');
  const versions = Array.from({ length: 12 }, (_, at) => `python3.${at + 8}`);
  return [...new Set([...versions, ...namesIn(base).filter((name) => name.startsWith('python'))])]
    .map((name) => join(base, name, 'site-packages'))
    .flatMap((site) => [
      `${site}/`, // a new `*.pth` is a new name in it
      ...namesIn(site)
        .filter((name) => /^(?:user|site)customize\.py$|\.pth$/.test(name))
        .map((name) => join(site, name)),
    ]);
}

/** The folders of a search path, except those in the project: the agent works there. */
const listed = (variable: string, { env, cwd }: Around): string[] =>
  (env[variable] ?? '')
    .split(':')
    .filter((folder) => isAbsolute(folder) && !`${folder}/`.startsWith(`${cwd}/`))
    .map((folder) => `${folder.replace(/\/+$/, '')}/`);

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
