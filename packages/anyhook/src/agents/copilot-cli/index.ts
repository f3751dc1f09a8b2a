export { copilotCliAgent as record } from './record.ts';
export { copilotCli as dialect } from './dialect/index.ts';
