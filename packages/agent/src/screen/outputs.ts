/** `--output`: what the agent prints to stdout for programs. */

import { safeJson } from 'anyhook/views';
import type { Happening, Listen } from '../front/happening.ts';

export const OUTPUTS = ['text', 'json', 'stream-json'] as const;
export type Output = (typeof OUTPUTS)[number];

type AgentStopped = Extract<Happening, { kind: 'stopped' }>;
/** The last line of `json` and `stream-json`. */
export interface Result {
  readonly type: 'result';
  readonly stopped: AgentStopped['why'];
  readonly detail?: string;
  readonly session?: string;
  readonly file?: string;
  readonly answer: string;
  readonly turns: number;
  readonly tools: readonly { readonly tool: string; readonly isError: boolean; readonly refused?: string }[];
  readonly usage: { readonly input: number; readonly output: number };
}

/** Collects happenings. Read `result` after the agent has stopped. */
export function resultOf(): { readonly listen: Listen; readonly result: () => Result } {
  const seen: Happening[] = [];
  return { listen: (happening) => void seen.push(happening), result: () => resultFrom(seen) };
}

function resultFrom(seen: readonly Happening[]): Result {
  const of = <K extends Happening['kind']>(kind: K) =>
    seen.filter((one): one is Extract<Happening, { kind: K }> => one.kind === kind);
  const stopped = of('stopped').at(-1);
  const session = of('session').at(-1);
  const usage = of('usage');
  return {
    type: 'result',
    stopped: stopped?.why ?? 'error',
    ...(stopped?.detail !== undefined && { detail: stopped.detail }),
    ...(session !== undefined && { session: session.id, file: session.file }),
    answer: of('said').at(-1)?.text ?? '',
    turns: of('turn').length,
    tools: of('tool-ended').map(({ tool, isError, refused }) => ({
      tool,
      isError,
      ...(refused !== undefined && { refused }),
    })),
    usage: {
      input: usage.reduce((sum, { input }) => sum + input, 0),
      output: usage.reduce((sum, { output }) => sum + output, 0),
    },
  };
}

/** One JSON object per happening: `{"type":"text","delta":"…"}`. */
export const streamLine = ({ kind, ...rest }: Happening): string => safeJson({ type: kind, ...rest });
