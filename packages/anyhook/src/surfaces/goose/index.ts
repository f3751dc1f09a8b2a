export { loadGooseHooks } from './load.ts';
export type { EmitOptions, GooseEvent, GooseHooks, GooseOptions, GooseResult } from './types.ts';
