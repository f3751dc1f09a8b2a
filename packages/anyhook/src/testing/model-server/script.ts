/** What a model server plays: data, so that it can stand in a file. */
import type { Fields } from '../../events/effects.ts';

/** One call that the model asks for. */
export type ScriptedCall =
  /** Of the client's own shell tool, whatever it calls it and its argument. */
  | { readonly shell: string; readonly args?: Fields }
  /** Of the client's own tool that writes a file at this path, whatever it calls it and its arguments. */
  | { readonly write: string }
  /** Of a tool by its exact name, or by `/pattern/`. `input`: for tools that take free text. */
  | { readonly tool: string; readonly args?: Fields; readonly input?: string };

interface TurnPacing {
  readonly delayMs?: number;
  /** Streams with so many characters at a time; default: everything in one. */
  readonly pieces?: number;
  /** The connection is cut in the middle of the answer. */
  readonly cut?: boolean;
  /** Played so often, then as if it did not stand here. Default: whenever its turn comes. */
  readonly times?: number;
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
 * Turn i is played when the request's history already holds i answers of the model; past the end it says "done". With
 * routes, a conversation whose opening user text matches plays those steps: for subagents.
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

/** `{{CWD}}` in any text becomes the folder. */
export function scriptFor(script: ModelScript, cwd: string): ModelScript {
  const text = JSON.stringify(script).replaceAll('{{CWD}}', JSON.stringify(cwd).slice(1, -1));
  return JSON.parse(text) as ModelScript; // the same shape, other texts
}
