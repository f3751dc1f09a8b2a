export { grokBuildAgent as record } from './record.ts';
export { grokBuild as dialect } from './dialect/index.ts';
