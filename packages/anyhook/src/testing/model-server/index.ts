export { type ModelScript, type ScriptedCall, type ScriptedTurn } from './script.ts';
export {
  type ModelServer,
  type ModelServerOptions,
  type RecordedRequest,
  startModelServer,
} from './start-model-server.ts';
