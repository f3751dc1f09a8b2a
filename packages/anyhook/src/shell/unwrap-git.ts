/** Git runs other programs through settings and options. A setting that is not known to be harmless is unjudgeable. */

import { type Inner, NOTHING, runs, runsText, combine, unjudgeable } from './inner.ts';
import { readOptions } from './options.ts';
import { fixedWord, type ShellWord } from './word.ts';

const GLOBAL = {
  short: 'C:c:pPhv',
  long: 'exec-path:: html-path man-path info-path paginate no-pager no-replace-objects bare git-dir: work-tree: namespace: super-prefix: config-env: no-optional-locks list-cmds: literal-pathspecs glob-pathspecs noglob-pathspecs icase-pathspecs no-lazy-fetch attr-source: no-advice version help',
};

/** Settings that name neither a program nor another settings file. */
const HARMLESS_KEYS =
  /^(?:user|author|committer|color|advice|column|log|push|pull|rerere|status|branch|commit|fetch|gc|pack|index|safe|feature|rebase|tag|versionsort|blame|grep|apply|stash|transfer|i18n|format|pretty|checkout|worktree|clone|receive)\.(?!.*(?:program|command|tool|editor|cmd|helper|hook|pager))[\w.-]+$|^(?:core\.(?:quotepath|autocrlf|safecrlf|eol|filemode|ignorecase|longpaths|symlinks|abbrev|bare|precomposeunicode|compression|preloadindex|untrackedcache|commentchar|logallrefupdates|whitespace|excludesfile|protectntfs|multipackindex)|init\.defaultbranch|merge\.(?:conflictstyle|ff|renames|renamelimit|stat|log)|diff\.(?:renames|renamelimit|algorithm|colormoved|mnemonicprefix|noprefix|context|wserrorhighlight|submodule|indentheuristic)|http\.(?:sslverify|postbuffer|version|lowspeedlimit|lowspeedtime|extraheader)|submodule\.(?:recurse|fetchjobs)|protocol\.version|gpg\.format)$/i;

/** Options whose value is a command line, by subcommand. Prefixes of long options match. */
const RUNNING =
  'upload-pack receive-pack exec extcmd open-files-in-pager sendmail-cmd to-cmd cc-cmd header-cmd env-filter tree-filter index-filter parent-filter msg-filter commit-filter tag-name-filter'.split(
    ' ',
  );
/** Options that are a prefix of one of these but mean something else. */
const HARMLESS =
  /^--(?:index|to|cc|e|m|msg|message|open|en|exclude\w*|export\w*|parent|header|tag|tree|commit|in|i|u|t)$/;
const RUNNING_LETTERS: Readonly<Record<string, string>> = {
  clone: 'u',
  'ls-remote': 'u',
  'fetch-pack': 'u',
  difftool: 'x',
  mergetool: 'x',
  grep: 'O',
  rebase: 'x',
};

export function unwrapGit(args: readonly ShellWord[]): Inner {
  const { found, rest, unknown } = readOptions(args, GLOBAL);
  const set = found
    .filter(({ name }) => name === '-c')
    .flatMap(({ value }) => (value === undefined ? [] : [setting(value)]));
  const bad =
    unknown[0] ??
    found.find(
      ({ name, value }) => name === '--config-env' || (name === '--exec-path' && value !== undefined),
    )?.name;
  if (bad !== undefined) set.push(unjudgeable(`git: an option may run a command: ${bad}`));
  const bare = found.length > 0 && rest.length > 0 ? runs([fixedWord('git'), ...rest]) : NOTHING;
  const [sub, ...words] = rest;
  return combine(bare, ...set, sub === undefined ? NOTHING : unwrapSubcommand(sub.value, words));
}

/** `key=value`: a setting that is not known to be harmless may be a command line. In an alias it follows `!`. */
function setting(word: ShellWord): Inner {
  const equals = word.value.indexOf('=');
  const key = equals === -1 ? word.value : word.value.slice(0, equals);
  if (word.lead.length < key.length)
    return unjudgeable(`git: its setting is known only at run time: ${word.text}`);
  return HARMLESS_KEYS.test(key) || equals === -1 ? NOTHING : valueText(key, word, equals + 1);
}

function valueText(key: string, word: ShellWord, from: number): Inner {
  const value = word.value.slice(from);
  if (/^(?:true|false|\d+|)$/.test(value)) return NOTHING;
  if (/^include(?:if)?\.|hookspath$/i.test(key))
    return unjudgeable(`git: the setting ${key} may run a command`);
  if (/^alias\./i.test(key) && !value.startsWith('!'))
    return runs([fixedWord('git'), ...value.split(/\s+/).map(fixedWord)]);
  const text = value.replace(/^!/, '');
  return runsText(word.fixed ? fixedWord(text) : { ...word, value: text });
}

function unwrapSubcommand(sub: string, words: readonly ShellWord[]): Inner {
  const values = words.map((word) => word.value);
  const remotes = words.filter(({ value }) => /^(?:ext|fd)::/.test(value));
  const run = combine(
    ...remotes.map((word) => runsText(word.fixed ? fixedWord(word.value.replace(/^\w+::/, '')) : word)),
    ...words.flatMap((word, at) => optionTexts(sub, word, words[at + 1])),
  );
  switch (sub) {
    case 'bisect':
      return values[0] === 'run' ? combine(run, runs(words.slice(1))) : run;
    case 'submodule': {
      const at = values.indexOf('foreach');
      return at === -1 ? run : combine(run, joined(behindFlags(words.slice(at + 1))));
    }
    case 'config':
      return combine(run, configured(words));
    case 'clone':
    case 'init':
      return combine(
        run,
        ...words.flatMap((word, at) => {
          if (/^(?:-c|--conf(?:i|ig)?)$/.test(word.value))
            return words[at + 1] === undefined ? [] : [setting(words[at + 1] as ShellWord)];
          const attached = /^(?:-c|--conf(?:i|ig)?=)/.exec(word.value)?.[0];
          return attached === undefined
            ? []
            : [setting({ ...fixedWord(word.value.slice(attached.length)), fixed: word.fixed })];
        }),
      );
    default:
      return run;
  }
}

function optionTexts(sub: string, word: ShellWord, next: ShellWord | undefined): Inner[] {
  const [, name, attached] = /^--([a-z-]+)(?:=(.*))?$/s.exec(word.value) ?? [];
  if (name !== undefined) {
    const isRunning =
      name.length > 1 && !HARMLESS.test(`--${name}`) && RUNNING.some((option) => option.startsWith(name));
    if (!isRunning) return [];
    if (attached === undefined) return next === undefined ? [] : [runsText(next)];
    return [runsText(word.fixed ? fixedWord(attached) : { ...word, value: attached })];
  }
  const letter = RUNNING_LETTERS[sub];
  const at = letter === undefined || !/^-[a-zA-Z]/.test(word.value) ? -1 : word.value.indexOf(letter);
  if (at < 1 || !/^-[a-zA-Z]*$/.test(word.value.slice(0, at))) return [];
  const rest = word.value.slice(at + 1);
  if (rest !== '') return [runsText(word.fixed ? fixedWord(rest) : { ...word, value: rest })];
  return next === undefined || sub === 'grep' ? [] : [runsText(next)];
}

const joined = (words: readonly ShellWord[]): Inner =>
  words.length === 0
    ? NOTHING
    : runsText({
        ...fixedWord(words.map((word) => word.value).join(' ')),
        fixed: words.every((word) => word.fixed),
      });

function configured(words: readonly ShellWord[]): Inner {
  const operands = words.filter(
    (word) => !word.value.startsWith('-') && !/^(?:set|get|unset|list|edit)$/.test(word.value),
  );
  const at = operands.findIndex((word) => /^[\w-]+\.[^\s]+$/.test(word.value) || !word.fixed);
  const [key, value] = [operands[at], operands[at + 1]];
  const reads = words.some(({ value: word }) =>
    /^(?:--get\S*|--unset\S*|--list|-l|get|unset|list|--edit|-e)$/.test(word),
  );
  if (key === undefined || value === undefined || reads) return NOTHING;
  if (!key.fixed) return unjudgeable(`git config: the setting is known only at run time: ${key.text}`);
  return HARMLESS_KEYS.test(key.value) ? NOTHING : valueText(key.value, value, 0);
}

/** Options before the command belong to `foreach`, the others to the command. */
function behindFlags(words: readonly ShellWord[]): readonly ShellWord[] {
  const start = words.findIndex((word) => !word.value.startsWith('-'));
  return start === -1 ? [] : words.slice(start);
}
