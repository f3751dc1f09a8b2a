import { findDialect } from '../dialects.ts';
import type { FailureKind } from '../events/exchange.ts';
import type { Hook, OnFailure } from '../events/hook.ts';

/** What it means when this hook breaks, or that it is broken: its own word, or its dialect's rule. */
export const failureOf = (hook: Hook): OnFailure =>
  hook.onFailure ?? findDialect(hook.dialect)?.failure(hook.on, brokenBy(hook), hook) ?? 'block';

/** For a hook that is not broken now (it works, or waits for trust): the failure that is likeliest, that it does not start. */
const brokenBy = ({ run }: Hook): FailureKind =>
  run.kind === 'missing' && run.why.kind !== 'not-trusted' ? run.why.kind : 'not-started';
