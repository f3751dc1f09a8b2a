/** @type {typeof import('node:child_process') | undefined} */
let loaded;
/** Loaded with the first process: it and what it needs are a tenth of what opening hooks costs. Each question costs, too. */
export const childProcess = () => (loaded ??= process.getBuiltinModule('node:child_process'));
