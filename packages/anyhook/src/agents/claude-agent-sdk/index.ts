export { claudeAgentSdk as dialect } from './dialect/index.ts';
