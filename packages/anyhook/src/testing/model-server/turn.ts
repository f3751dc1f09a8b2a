/** Selects the turn of the script that answers a request. */

import type { ModelRequest } from './client-request.ts';
import { findCall, type FoundCall } from './find-call.ts';
import { instance } from './instance.ts';
import { type ModelScript, type ScriptedTurn, type ScriptedUsage, stepsFor } from './script.ts';

interface AnswerPacing {
  readonly delayMs?: number;
  readonly pieces?: number;
  readonly cut?: boolean;
  readonly usage?: ScriptedUsage;
}
export type AnswerTurn = AnswerPacing &
  (
    | {
        readonly kind: 'text';
        readonly text: string;
        /** Set for an answer outside of the script, to a request that does not continue the conversation. */
        readonly side?: 'json' | 'no-tools' | 'summary' | 'max-turns';
      }
    | { readonly kind: 'calls'; readonly calls: readonly FoundCall[] }
  );
export type ServerTurn = AnswerTurn | (AnswerPacing & ErrorTurn);
export interface ErrorTurn {
  readonly kind: 'error';
  readonly status: number;
  readonly message: string;
  readonly type?: string;
  readonly headers: Readonly<Record<string, string>>;
}

const DONE: ScriptedTurn = { text: 'done' };

/** Returns a function that counts the played turns, for turns with a limit. */
export function openTurns(script: ModelScript, maxTurns: number): (asked: ModelRequest) => ServerTurn {
  let played = 0;
  const times = new Map<ScriptedTurn, number>();
  return (asked) => {
    const side = sideAnswer(asked);
    if (side !== undefined) return side;
    // A compacted history starts again at turn 0; this ends a client that compacts forever.
    if (++played > maxTurns) return { kind: 'text', text: 'done', side: 'max-turns' };
    const steps = stepsFor(script, asked.opening).filter(
      (step) => (times.get(step) ?? 0) < (step.times ?? Infinity),
    );
    const step = steps[asked.turns] ?? DONE;
    times.set(step, (times.get(step) ?? 0) + 1);
    return { ...pacingOf(step), ...turnOf(step, asked) };
  };
}

/** Titles, classifiers and summaries do not advance the script. */
function sideAnswer({ answerSchema, tools, lastText }: ModelRequest): ServerTurn | undefined {
  if (answerSchema !== undefined)
    return { kind: 'text', side: 'json', text: JSON.stringify(instance(answerSchema)) };
  if (tools.length === 0) return { kind: 'text', side: 'no-tools', text: 'fake title' };
  if (asksForSummary(lastText))
    return { kind: 'text', side: 'summary', text: '<summary>fake summary of the conversation</summary>' };
  return undefined;
}

const asksForSummary = (text: string): boolean =>
  text.length > 200 &&
  /(summary|summari[sz]e|compact|snapshot|checkpoint)/i.test(text) &&
  /(conversation|context|(?<!\bgit )history)/i.test(text) && // mentions of git history are ordinary work
  !text.slice(0, 40).includes('<system-reminder>');

function turnOf(step: ScriptedTurn, { tools }: ModelRequest): ServerTurn {
  if ('status' in step) {
    const { status, error = 'scripted', type, headers = {} } = step;
    return { kind: 'error', status, message: error, headers, ...(type !== undefined && { type }) };
  }
  if ('text' in step) return { kind: 'text', text: step.text };
  const calls = ('calls' in step ? step.calls : [step]).map((call) => findCall(call, tools));
  if (calls.includes(undefined))
    return { kind: 'text', text: `no shell tool among: ${tools.map(({ name }) => name).join(',')}` };
  return { kind: 'calls', calls: calls.filter((call) => call !== undefined) };
}

const pacingOf = ({ delayMs, pieces, cut, usage }: ScriptedTurn): AnswerPacing => ({
  ...(delayMs !== undefined && { delayMs }),
  ...(pieces !== undefined && { pieces }),
  ...(cut !== undefined && { cut }),
  ...(usage !== undefined && { usage }),
});
