export { qwenCodeAgent as record } from './record.ts';
export { qwenCode as dialect } from './dialect/index.ts';
