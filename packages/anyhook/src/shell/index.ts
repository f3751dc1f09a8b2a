/** What a shell command runs, for guards of one's own: see docs/bash.md. */
export { commandsIn } from './analyse.ts';
export { judgeShell } from './judge-shell.ts';
export { matchesShell, matchShell, type ShellMatch } from './matches-shell.ts';
