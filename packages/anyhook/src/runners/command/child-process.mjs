/** @type {typeof import('node:child_process') | undefined} */
let loaded;
/** Loads `node:child_process` with the first process, because it is a tenth of the cost of opening hooks. */
export const childProcess = () => (loaded ??= process.getBuiltinModule('node:child_process'));
