/** Loaded with the first process: it and what it needs are a tenth of what opening hooks costs. */
export const childProcess = () => process.getBuiltinModule('node:child_process');
