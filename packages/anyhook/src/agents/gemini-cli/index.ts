export { geminiCliAgent as record } from './record.ts';
export { geminiCli as dialect } from './dialect/index.ts';
