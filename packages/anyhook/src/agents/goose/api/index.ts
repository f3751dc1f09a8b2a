export { loadGooseHooks } from './load.ts';
export type { GooseEmitOptions, GooseEvent, GooseHooks, GooseOptions, GooseResult } from './types.ts';
