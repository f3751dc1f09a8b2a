export { codexAgent as record } from './record.ts';
export { codex as dialect } from './dialect/index.ts';
