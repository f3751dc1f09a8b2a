export { anyhook as dialect } from './dialect/index.ts';
