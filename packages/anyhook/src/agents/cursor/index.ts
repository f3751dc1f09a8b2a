export { cursorAgent as record } from './record.ts';
export { cursor as dialect } from './dialect/index.ts';
