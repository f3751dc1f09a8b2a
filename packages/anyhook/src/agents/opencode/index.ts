export { opencodeAgent as record } from './record.ts';
export { opencode as dialect } from './dialect/index.ts';
