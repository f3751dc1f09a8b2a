export { gooseAgent as record } from './record.ts';
export { goose as dialect } from './dialect/index.ts';
