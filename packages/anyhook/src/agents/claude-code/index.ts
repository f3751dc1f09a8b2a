export { claudeCodeAgent as record } from './record.ts';
export { claudeCode as dialect } from './dialect/index.ts';
