export { EVERYTHING } from '../events/capabilities.ts';
export { type ContractOptions, dialectContract, type ContractGap, type ContractPromise } from './contract.ts';
export { event, SAMPLES } from './event.ts';
export { outcome } from './outcome.ts';
export { judgeCase, type JudgedCase, type CaseJudgement } from './judge-case.ts';
export {
  type ModelScript,
  type ModelServer,
  type ModelServerOptions,
  type RecordedRequest,
  type ScriptedTurn,
  startModelServer,
} from './model-server/index.ts';
export { type CaseToRun, runCase } from './run-case.ts';
