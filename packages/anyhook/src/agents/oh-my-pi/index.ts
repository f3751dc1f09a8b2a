export { ohMyPiAgent as record } from './record.ts';
export { ohMyPi as dialect } from './dialect/index.ts';
