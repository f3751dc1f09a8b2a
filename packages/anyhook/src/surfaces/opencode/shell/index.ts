export { makeShell, type Shell, type ShellTerms } from './make-shell.ts';
export { ShellError, ShellOutput } from './output.ts';
export { ShellPromise } from './promise.ts';
