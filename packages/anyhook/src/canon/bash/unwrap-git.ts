/** Git runs other programs by configuration and by option; what is not known to be harmless is not judged. */
import { type Inner, NOTHING, runs, runsText, together, unjudgeable } from './inner.ts';
import { readOptions } from './options.ts';
import { fixedWord, type ShellWord } from './word.ts';

const GLOBAL = {
  short: 'C:c:pPhv',
  long: 'exec-path:: html-path man-path info-path paginate no-pager no-replace-objects bare git-dir: work-tree: namespace: super-prefix: config-env: no-optional-locks list-cmds: literal-pathspecs glob-pathspecs noglob-pathspecs icase-pathspecs no-lazy-fetch attr-source: no-advice version help',
};

/** Settings that name no program and no further file of settings. */
const HARMLESS_KEYS =
  /^(?:user|author|committer|color|advice|column|log|push|pull|rerere|status|branch|commit|fetch|gc|pack|index|safe|feature|rebase|tag|versionsort|blame|grep|apply|stash|transfer|i18n|format|pretty|checkout|worktree|clone|receive)\.(?!.*(?:program|command|tool|editor|cmd|helper|hook|pager))[\w.-]+$|^(?:core\.(?:quotepath|autocrlf|safecrlf|eol|filemode|ignorecase|longpaths|symlinks|abbrev|bare|precomposeunicode|compression|preloadindex|untrackedcache|commentchar|logallrefupdates|whitespace|excludesfile|protectntfs|multipackindex)|init\.defaultbranch|merge\.(?:conflictstyle|ff|renames|renamelimit|stat|log)|diff\.(?:renames|renamelimit|algorithm|colormoved|mnemonicprefix|noprefix|context|wserrorhighlight|submodule|indentheuristic)|http\.(?:sslverify|postbuffer|version|lowspeedlimit|lowspeedtime|extraheader)|submodule\.(?:recurse|fetchjobs)|protocol\.version|gpg\.format)$/i;

const RUNNING_OPTION =
  /^ext::|^fd::|^--(?:upload-pack|receive-pack|exec|extcmd|open-files-in-pager|smtp-server|sendmail-cmd|to-cmd|cc-cmd|[a-z]+-filter)(?:=|$)/;

export function unwrapGit(args: readonly ShellWord[]): Inner {
  const { found, rest, unknown } = readOptions(args, GLOBAL);
  const bad = unknown[0] ?? found.find((option) => !isHarmless(option))?.name;
  if (bad !== undefined) return unjudgeable(`git: an option may run a command: ${bad}`);
  const bare = found.length > 0 && rest.length > 0 ? runs([fixedWord('git'), ...rest]) : NOTHING;
  const [sub, ...words] = rest;
  return together(bare, sub === undefined ? NOTHING : unwrapSubcommand(sub.value, words));
}

function isHarmless(option: { readonly name: string; readonly value?: ShellWord }): boolean {
  if (option.name === '-c') return option.value !== undefined && isHarmlessSetting(option.value);
  return option.name !== '--config-env' && !(option.name === '--exec-path' && option.value !== undefined);
}

const isHarmlessSetting = (word: ShellWord): boolean => {
  const equals = word.value.indexOf('=');
  const key = equals === -1 ? word.value : word.value.slice(0, equals);
  return word.lead.length >= key.length && HARMLESS_KEYS.test(key);
};

function unwrapSubcommand(sub: string, words: readonly ShellWord[]): Inner {
  const values = words.map((word) => word.value);
  const danger = sub === 'rebase' ? undefined : words.find((word) => RUNNING_OPTION.test(word.value));
  if (danger !== undefined) return unjudgeable(`git ${sub}: an option runs a command: ${danger.text}`);
  switch (sub) {
    case 'bisect':
      return values[0] === 'run' ? runs(words.slice(1)) : NOTHING;
    case 'submodule': {
      const at = values.indexOf('foreach');
      return at === -1 ? NOTHING : joined(words.slice(at + 1).filter((word) => !word.value.startsWith('-')));
    }
    case 'rebase':
      return together(...execTexts(words));
    case 'config':
      return setsUnsafeKey(words) ? unjudgeable('git config: the setting may run a command') : NOTHING;
    case 'clone':
      return values.some(
        (value, at) => /^(?:-c|--config)(?:=|$)/.test(value) && !isCloneSettingHarmless(words, at),
      ) || values.includes('-u')
        ? unjudgeable('git clone: an option may run a command')
        : NOTHING;
    case 'difftool':
    case 'mergetool':
      return values.some((value) => value.startsWith('-x'))
        ? unjudgeable(`git ${sub}: an option runs a command`)
        : NOTHING;
    case 'grep':
      return values.some((value) => /^-O./.test(value))
        ? unjudgeable('git grep: an option runs a command')
        : NOTHING;
    default:
      return NOTHING;
  }
}

const joined = (words: readonly ShellWord[]): Inner => {
  const loose = words.find((word) => !word.fixed);
  if (loose !== undefined) return runsText(loose);
  return words.length === 0 ? NOTHING : runsText(fixedWord(words.map((word) => word.value).join(' ')));
};

function execTexts(words: readonly ShellWord[]): Inner[] {
  return words.flatMap((word, at) => {
    if (word.value === '-x' || word.value === '--exec')
      return words[at + 1] === undefined ? [] : [runsText(words[at + 1] as ShellWord)];
    const attached = /^(?:--exec=|-x)/.exec(word.value)?.[0];
    return attached === undefined
      ? []
      : [word.fixed ? runsText(fixedWord(word.value.slice(attached.length))) : runsText(word)];
  });
}

function setsUnsafeKey(words: readonly ShellWord[]): boolean {
  const operands = words.filter((word) => !word.value.startsWith('-'));
  const at = operands.findIndex((word) => /^[\w-]+\.[^\s]+$/.test(word.value) || !word.fixed);
  const key = operands[at];
  if (key === undefined || operands.length <= at + 1) return false;
  return !key.fixed || !HARMLESS_KEYS.test(key.value);
}

function isCloneSettingHarmless(words: readonly ShellWord[], at: number): boolean {
  const word = words[at];
  const equals = word?.value.indexOf('=') ?? -1;
  const setting =
    word !== undefined && word.value.startsWith('--config=')
      ? fixedWord(word.value.slice(equals + 1))
      : words[at + 1];
  return setting !== undefined && isHarmlessSetting(setting);
}
