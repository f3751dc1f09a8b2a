import { CLOUD } from './cloud.ts';
import { DATABASE } from './database.ts';
import { DEVICE, DISK } from './device.ts';
import type { Danger, DangerRule } from './rule.ts';

/** Histories of shells, editors and interpreters, and other records that users need after a mistake. */
const HISTORY_FILES =
  /(?:^|\/)\.?(?:\w*sh_history|fish_history|\w+_history|\w*_hist(?:ory)?|lesshst|viminfo|main\.shada)$|(?:^|\/)(?:LocalHistory|User\/History|undodir|fish_history|atuin\/history\.db|\.zsh_sessions|\.bash_sessions)(?:\/|$)/;
const FORGETS = 'it deletes the history of commands or edits';

const LOCAL_HISTORY: readonly DangerRule[] = [
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

const TREE = 'it deletes everything below a folder that is not plainly part of this project';
const GONE = 'it deletes what no copy is kept of';

const EMPTIED = 'it empties a file outside of the project';
const EMPTY_FILE = /^\/dev\/(?:null|zero|full)$/;

const FILES: readonly DangerRule[] = [
  { command: 'rm|grm', with: ['r'], operand: 'far', why: TREE },
  {
    command: 'rm|grm|unlink|shred|srm',
    operand: /^(?:~|\$\{?HOME\}?|\$ENV|\/(?!tmp\/|var\/tmp\/)).*\*/,
    why: TREE,
  },
  {
    command: 'rm|shred|srm|unlink|wipe|truncate',
    operand: /^\/(?:dev\/(?:[sv]d[a-z]|nvme|disk|mmcblk)|etc\/|boot\/|usr\/|bin\/|lib)/,
    why: 'it destroys part of the system',
  },
  { command: 'find|gfind', first: 'away', word: /^-delete$/, why: TREE },
  {
    command: 'find|gfind',
    first: 'away',
    word: /^(?:rm|unlink|shred|\/bin\/rm|\/usr\/bin\/rm)$/,
    why: TREE,
  },
  {
    command: 'find|gfind',
    word: /^-delete$/,
    noWord:
      /^-(?:i?name|i?path|i?regex|i?wholename|type|m?time|m?min|newer|size|empty|maxdepth|mindepth|perm|user)/,
    why: 'it deletes everything below its folder',
  },
  { command: 'fd|fdfind', operand: 'away', word: /^(?:rm|unlink|shred)$/, why: TREE },
  {
    command: 'rsync',
    with: ['delete|delete-before|delete-during|delete-after|delete-excluded|delete-delay'],
    without: ['n'],
    operand: /^(?:~|\$\{?HOME|\/(?!tmp\/)|\.\.)|:/,
    why: 'it deletes what the other side does not have',
  },
  { command: 'rimraf|del-cli|del|trash-empty|srm|shred|wipe', operand: 'far', why: TREE },
  { command: 'tar|gtar|bsdtar', word: /^--remove-f/, why: TREE },
  // Moves files into an archive, which deletes the originals.
  { command: 'zip', word: /^(?:-[a-zA-Z]*m[a-zA-Z]*|--move)$/, operand: 'far', why: TREE },
  { command: '7z|7za|7zr|7zz', word: /^-sdel$/, operand: 'far', why: TREE },
  { command: 'rmdir', with: ['p'], operand: 'far', why: TREE },
  { command: 'rmdir', operand: 'emptied', why: TREE },
  // Deletes what another program finds, file by file, and then the empty folders.
  { command: 'rm|grm', with: ['d'], operand: 'far', word: /^\{\}$/, why: TREE },
  {
    command: 'Remove-Item|ri|rd|erase|rmdir|del|Clear-Content|clc',
    word: /^-(?:r|rec\w*)$|^[-/]s(?:[-/]q)?$/i,
    operand: 'far',
    why: TREE,
  },
  { command: 'git clean', with: ['f'], without: ['n'], why: 'it deletes what is in no commit' },
  { command: 'mv|gmv', first: 'far', operand: /^\/dev\/null$/, why: GONE },
  { command: 'rsync', with: ['remove-source-files'], without: ['n'], first: 'far', why: TREE },
  { command: 'find|gfind', first: 'away', word: /^(?:truncate|srm|wipe|trash|gio)$/, why: TREE },
  { command: 'find|gfind', operand: /^\.git$/, word: /^(?:rm|-delete)$/, why: 'it deletes repositories' },
  { command: 'cp|gcp|install|ln', first: EMPTY_FILE, last: 'far', why: EMPTIED },
  { command: 'truncate', operand: 'far', why: EMPTIED },
  { command: 'dd', word: /^of=(?:~|\$\{?HOME|\/(?!dev\/|tmp\/|var\/tmp\/))/, why: EMPTIED },
  { command: 'sed|gsed', with: ['i'], first: /^(?:1,\$)?d$/, operand: 'far', why: EMPTIED },
  { command: 'gio', first: /^(?:remove|trash)$/, operand: 'far', word: /^(?:remove|-f|--force)$/, why: TREE },
  { command: 'gio', first: /^trash$/, word: /^--empty$/, why: GONE },
  { command: 'kioclient|kioclient5|kioclient6', first: /^(?:del|remove)$/, why: TREE },
  { command: 'trash-empty|trash-rm', why: GONE },
  { command: 'Clear-Content|clc', operand: 'far', why: EMPTIED },
  { command: 'Clear-RecycleBin', why: GONE },
  {
    command: 'Start-Process|saps',
    word: /^(?:rm|cmd|del|rd|format|powershell|pwsh)\b/i,
    why: 'it starts a program that deletes',
  },
  { command: 'ansible', word: /\bstate=absent\b/, why: GONE },
  { command: 'crontab', with: ['r'], why: GONE },
  { command: 'gh repo|gh release', first: /^delete$/, why: GONE },
  { command: 'gh', word: /^delete$/, operand: /^(?:repo|release)$/, why: GONE },
];

export const DELETE: Danger = {
  instead:
    'Name single files or folders below the working folder, move things to the trash (`trash`, `gio trash`) or aside (`mv`), or ask the person to do it.',
  writes: {
    pattern: new RegExp(`${DISK.source}|${HISTORY_FILES.source}`),
    why: `it overwrites a device, or ${FORGETS.slice(3)}`,
  },
  rules: [
    ...FILES,
    ...LOCAL_HISTORY,
    ...DEVICE.rules,
    ...CLOUD.rules.filter(({ isBroad }) => isBroad !== true),
    ...DATABASE.rules.filter(({ isBroad }) => isBroad !== true),
  ],
};
