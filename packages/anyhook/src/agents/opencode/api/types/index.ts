export type * from './auth.ts';
export type * from './hooks.ts';
export type * from './loose.ts';
export type * from './plugin.ts';
export type * from './shell.ts';
export type * from './tool.ts';
