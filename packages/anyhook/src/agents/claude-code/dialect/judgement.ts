/** A judge's answer: `{ ok, reason?, impossible? }`. */
import { isPlain } from '../../../events/changes.ts';
import { shown } from '../../../events/checker.ts';
import { readFencedJson } from '../../../events/document.ts';
import { type Effect, halt } from '../../../events/effects.ts';
import type { Hook } from '../../../events/hook.ts';
import type { Answer } from '../../../events/outcome.ts';
import { unreadable } from '../../../events/printout.ts';
import { NO_REASON } from '../../../events/proceed.ts';
import { blocked } from './block.ts';
import { type ClaudeWord, claudeEvent } from './events.ts';

export function readClaudeJudgement(body: string, hook: Hook): Answer {
  const document = readFencedJson(body);
  if (!document.ok) return unreadable(`the judge's answer is no JSON: ${document.why}`);
  if (!isPlain(document.value)) return unreadable(`the judge answered ${shown(document.value)}`);
  const { ok, reason, impossible } = document.value;
  if (typeof ok !== 'boolean') return unreadable(`"ok" is ${shown(ok)}, true or false is expected`);
  if (reason !== undefined && typeof reason !== 'string') return unreadable('"reason" is no text');
  if (impossible !== undefined && typeof impossible !== 'boolean')
    return unreadable('"impossible" is neither true nor false');
  return { effects: ok ? [] : objection(reason, impossible === true, hook) };
}

function objection(reason: string | undefined, isImpossible: boolean, { on, extra }: Hook): Effect[] {
  const { judged } = claudeEvent(on as ClaudeWord);
  if (judged === undefined) return [];
  // Who looked with an agent's eyes cannot say that something is impossible.
  if (judged.says === 'resume' && isImpossible && extra?.['agent'] !== true) return [];
  const ends = judged.ends === 'unless-continued' && extra?.['continueOnBlock'] !== true;
  const said = blocked(judged.says, reason);
  if (!ends) return said;
  return [...said.filter(({ kind }) => kind !== 'resume'), halt(reason ?? NO_REASON)];
}
