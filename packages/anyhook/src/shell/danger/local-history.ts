import type { DangerRule } from './rule.ts';

/** Histories of shells, editors and interpreters, and other records that users need after a mistake. */
export const HISTORY_FILES =
  /(?:^|\/)\.?(?:\w*sh_history|fish_history|\w+_history|\w*_hist(?:ory)?|lesshst|viminfo|main\.shada)$|(?:^|\/)(?:LocalHistory|User\/History|undodir|fish_history|atuin\/history\.db|\.zsh_sessions|\.bash_sessions)(?:\/|$)/;
export const FORGETS = 'it deletes the history of commands or edits';

export const LOCAL_HISTORY: readonly DangerRule[] = [
  { command: 'history', word: /^-\w*[cd]/, why: FORGETS },
  { command: 'history', first: /^(?:clear|delete|clear-session)$/, why: FORGETS },
  {
    command: 'rm|grm|unlink|shred|srm|truncate|sed|gsed|mv|gmv|wipe|trash',
    operand: HISTORY_FILES,
    noWord: /^-n$/,
    why: FORGETS,
  },
  { command: 'cp|gcp|ln|install|tee', last: HISTORY_FILES, why: FORGETS },
  { command: 'Clear-History', why: FORGETS },
  {
    command: 'Remove-Item|ri|del|erase|Clear-Content|clc',
    word: /ConsoleHost_history|PSReadLine/i,
    why: FORGETS,
  },
  { command: 'atuin', word: /^(?:--delete\S*|delete|prune|delete-it-all)$/, why: FORGETS },
  { command: 'journalctl', word: /^--vacuum-(?:time|size|files)(?:=|$)/, why: 'it deletes logs' },
  { command: 'dmesg', with: ['C|c|clear|read-clear'], why: 'it deletes logs' },
  { command: 'wevtutil', first: /^(?:cl|clear-log)$/i, why: 'it deletes logs' },
];
