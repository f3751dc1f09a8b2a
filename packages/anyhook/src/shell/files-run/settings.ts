/** Environment variables that make programs run, or search for, more code. */

import type { ReadLanguage } from '../references/language.ts';
import { CODE_SETTINGS, COMMAND_SETTINGS, SENSITIVE_SETTINGS } from '../settings.ts';

export type SettingRole =
  /** One file, or a list of files, to run. */
  | { readonly as: 'files'; readonly language: ReadLanguage; readonly between: RegExp }
  /** Folders to search for code. */
  | { readonly as: 'folders' }
  /** Options of a program. */
  | { readonly as: 'options'; readonly of: string }
  /** Its effect is unknown. */
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
/** Variables for output, credentials and data, which lead to no code. */
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
