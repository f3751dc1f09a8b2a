/** Managed policies for programs that check and deploy them: `anyhook/policy`. */
export type { ManagedFolder } from '../events/dialect.ts';
export { type Problem, show as problemText } from '../events/problems.ts';
export {
  CURRENT,
  isManagedThere,
  looseEnds,
  MANAGED,
  VERSIONS,
  withPolicyInForce,
} from '../settings/managed.ts';
export { type Policy, type PolicyRead, readPolicy } from '../settings/policy.ts';
export { type PolicyRefusal, type PolicyTrial, tryPolicy } from './try.ts';
