/** Hooks that the program itself brings: definitions and plain callbacks. */
import type { Definition } from '../canon/define.ts';
import { EVENT_NAMES, isEventName } from '../canon/events.ts';
import type { WayOf } from '../canon/hook.ts';
import type { HooksByEvent } from '../dialects/claude-agent-sdk/hook-callback.ts';
import { type Defined, hookFromDefinition } from '../dialects/anyhook/definition.ts';
import type { Callbacks, Options } from './options.ts';

const PROGRAM = '(program)';

export const programHooks = ({ hooks = [], callbacks = {} }: Options): readonly Defined[] => [
  ...definedIn(hooks),
  ...callbacksOf(callbacks),
];

/** The callbacks that stand under no name of ours: the SDK's dialect reads them, and says what it does not know. */
export function sdkCallbacks({ callbacks = {} }: Options): HooksByEvent | undefined {
  const theirs = Object.entries(callbacks).filter(([name]) => !isEventName(name));
  return theirs.length === 0 ? undefined : Object.fromEntries(theirs);
}

export const runOf = (definition: Definition) =>
  definition.run.bind(definition) as unknown as WayOf<'call'>['fn'];

function definedIn(definitions: readonly Definition[]): Defined[] {
  return definitions.map((definition, index) =>
    hookFromDefinition(
      definition,
      `hooks[${index}]`,
      { layer: 'session', file: PROGRAM, line: definition.line ?? index + 1 },
      { kind: 'call', direct: true, fn: runOf(definition) },
    ),
  );
}

function callbacksOf(callbacks: Callbacks): Defined[] {
  return EVENT_NAMES.flatMap((on) => {
    const said = callbacks[on] as
      | ((event: never) => unknown)
      | readonly ((event: never) => unknown)[]
      | undefined;
    const list = said === undefined ? [] : typeof said === 'function' ? [said] : said;
    return list.map((fn, index) =>
      hookFromDefinition(
        { on },
        `callbacks.${on}[${index}]`,
        { layer: 'session', file: PROGRAM, line: index + 1 },
        { kind: 'call', direct: true, fn },
      ),
    );
  });
}
