import type { Hook } from '../../../events/hook.ts';
import type { HandlerType } from './event-row.ts';
import { type ClaudeWord, claudeEvent } from './events.ts';

const USUAL_MS: Readonly<Record<HandlerType, number>> = {
  command: 600_000,
  http: 600_000,
  mcp_tool: 600_000,
  prompt: 30_000,
  agent: 60_000,
};
/** All hooks at the end of a session share this time, so that a program can exit. */
const ENDING_MS = 1_500;
const LONGEST_ENDING_MS = 60_000;

export function timeoutOf(word: ClaudeWord, type: HandlerType, seconds: number | undefined): number {
  if (seconds !== undefined) return Math.max(1, Math.round(seconds * 1000));
  const isJudge = type === 'prompt' || type === 'agent';
  return (
    (isJudge ? undefined : claudeEvent(word).timeoutMs) ??
    (word === 'SessionEnd' ? ENDING_MS : USUAL_MS[type])
  );
}

/** The hooks run in parallel, so each gets the shared time, raised to the longest timeout that one of them sets. */
export function sessionEndBudget(hooks: readonly Hook[]): Hook[] {
  const endings = hooks.filter(({ on }) => on === 'SessionEnd');
  const longest = Math.max(ENDING_MS, ...endings.map(({ timeoutMs }) => timeoutMs));
  const timeoutMs = Math.min(longest, LONGEST_ENDING_MS);
  return hooks.map((hook) => (hook.on === 'SessionEnd' ? { ...hook, timeoutMs } : hook));
}
