import { findDialect } from '../dialects.ts';
import type { FailureKind } from '../events/exchange.ts';
import type { Hook, OnFailure } from '../events/hook.ts';

/** What a failure of this hook means: its own setting, or the rule of its dialect. */
export const failureOf = (hook: Hook): OnFailure =>
  hook.onFailure ?? findDialect(hook.dialect)?.failure(hook.on, brokenBy(hook), hook) ?? 'block';

/** The likeliest failure of a hook that is not broken: that it does not start. */
const brokenBy = ({ run }: Hook): FailureKind =>
  run.kind === 'missing' && run.why.kind !== 'not-trusted' ? run.why.kind : 'not-started';
