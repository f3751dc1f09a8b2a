/** The script of a model server, as data, so that it can be stored in a file. */

import type { Fields } from '../../events/effects.ts';

/** One call that the model requests. */
export type ScriptedCall =
  /** Calls the client's shell tool, whatever its name and argument. */
  | { readonly shell: string; readonly args?: Fields }
  /** Calls the client's tool that writes a file, whatever its name and arguments. */
  | { readonly write: string }
  /** Calls a tool by its exact name, or by `/pattern/`. `input`: for tools with free text. */
  | { readonly tool: string; readonly args?: Fields; readonly input?: string };

interface TurnPacing {
  readonly delayMs?: number;
  /** Streams this many characters at a time. Default: everything at once. */
  readonly pieces?: number;
  /** Closes the connection in the middle of the answer. */
  readonly cut?: boolean;
  /** Plays the step this many times, then skips it. Default: no limit. */
  readonly times?: number;
  /** What the answer states as its usage. Default: 10 tokens in, 5 out. */
  readonly usage?: ScriptedUsage;
}
export interface ScriptedUsage {
  /** Includes the cached tokens. */
  readonly input: number;
  readonly cached?: number;
  readonly output: number;
}
export type ScriptedTurn = TurnPacing &
  (
    | ScriptedCall
    | { readonly calls: readonly ScriptedCall[] }
    | { readonly text: string }
    /** An HTTP error; most clients do not retry a 400. */
    | {
        readonly status: number;
        readonly error?: string;
        readonly type?: string;
        readonly headers?: Readonly<Record<string, string>>;
      }
  );

/**
 * Turn i is played if the history contains i answers of the model. After the last turn, the model answers
 * "done". A route replaces the steps for conversations whose opening user text matches, such as those of
 * subagents.
 */
export type ModelScript =
  | readonly ScriptedTurn[]
  | {
      readonly main?: readonly ScriptedTurn[];
      readonly routes?: readonly { readonly match: string; readonly steps: readonly ScriptedTurn[] }[];
    };

export const stepsFor = (script: ModelScript, opening: string): readonly ScriptedTurn[] =>
  'length' in script
    ? script
    : (script.routes?.find(({ match }) => new RegExp(match).test(opening))?.steps ?? script.main ?? []);

/** Replaces `{{CWD}}` in all texts by the folder. */
export function scriptFor(script: ModelScript, cwd: string): ModelScript {
  const text = JSON.stringify(script).replaceAll('{{CWD}}', JSON.stringify(cwd).slice(1, -1));
  return JSON.parse(text) as ModelScript; // same structure, other texts
}
