/** `anyhook/bash`: what a shell command runs, for your own guards. See docs/bash.md. */
export { commandsIn } from './analyse.ts';
export { judgeShell } from './judge-shell.ts';
export { matchesShell, matchShell, type ShellMatch } from './matches-shell.ts';
