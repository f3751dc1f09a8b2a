export { kimiCodeAgent as record } from './record.ts';
export { kimiCode as dialect } from './dialect/index.ts';
