export { type ContractOptions, dialectContract, type Gap, type Promised } from './contract.ts';
export { event, SAMPLES } from './event.ts';
export { type Case, runCase } from './run-case.ts';
