/** Variables by which programs are told to run or to look for more code. */
import { CODE_SETTINGS, COMMAND_SETTINGS, SENSITIVE_SETTINGS } from '../settings.ts';
import type { ReadLanguage } from '../references/language.ts';

export type SettingRole =
  /** Files that are run, one or a list. */
  | { readonly as: 'files'; readonly language: ReadLanguage; readonly between: RegExp }
  /** Folders in which code is looked for. */
  | { readonly as: 'folders' }
  /** Options of that program. */
  | { readonly as: 'options'; readonly of: string }
  /** What it changes cannot be told. */
  | { readonly as: 'unclear'; readonly always?: true };

const FOLDERS = new Set(
  `PYTHONPATH NODE_PATH PERL5LIB PERLLIB RUBYLIB ZDOTDIR LD_LIBRARY_PATH DYLD_LIBRARY_PATH PATH AWKPATH CLASSPATH
   GEM_PATH GEM_HOME JQ_LIBRARY_PATH`.split(/\s+/),
);
const OPTIONS: Readonly<Record<string, string>> = {
  NODE_OPTIONS: 'node',
  BUN_OPTIONS: 'bun',
  RUBYOPT: 'ruby',
  PERL5OPT: 'perl',
};
const FILES: Readonly<Record<string, readonly [ReadLanguage, RegExp]>> = {
  BASH_ENV: ['shell', /(?!)/],
  ENV: ['shell', /(?!)/],
  PYTHONSTARTUP: ['python', /(?!)/],
  LD_PRELOAD: ['other', /[ :]/],
  LD_AUDIT: ['other', /:/],
  DYLD_INSERT_LIBRARIES: ['other', /:/],
  MAKEFILES: ['make', / /],
};
/** They say how to print, whom to ask or where data lies, and lead to no code. */
const DATA =
  /^(?:IFS|TMPDIR|SSH_\w+|AWS_\w+|\w+_(?:PROXY|proxy)|LESS|MANOPT|KUBECONFIG|DOCKER_\w+|GREP_OPTIONS|NODE_ENV|GIT_(?:DIR|WORK_TREE|INDEX_FILE|AUTHOR_\w+|COMMITTER_\w+|TERMINAL_PROMPT|OPTIONAL_LOCKS)|BASH_XTRACEFD|PS[1-3])$/;

export function settingRole(name: string): SettingRole | undefined {
  if (FOLDERS.has(name)) return { as: 'folders' };
  if (Object.hasOwn(OPTIONS, name)) return { as: 'options', of: OPTIONS[name]! };
  if (Object.hasOwn(FILES, name)) {
    const [language, between] = FILES[name]!;
    return { as: 'files', language, between };
  }
  if (name === 'PERL_USE_UNSAFE_INC') return { as: 'unclear', always: true };
  const isUnclear = SENSITIVE_SETTINGS.test(name) || CODE_SETTINGS.test(name) || COMMAND_SETTINGS.has(name);
  return isUnclear && !DATA.test(name) ? { as: 'unclear' } : undefined;
}
