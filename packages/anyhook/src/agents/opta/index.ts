export { opta as dialect } from './dialect/index.ts';
