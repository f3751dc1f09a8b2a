/** Describes a loaded module for another process: everything except its code. */

import type { Fields } from '../events/effects.ts';
import type { HookFailure } from '../events/exchange.ts';
import type { Hook, Match, Origin } from '../events/hook.ts';
import type { LoginMethod, LoginPrompt, Offers } from '../events/offers.ts';
import type { Problem } from '../events/problems.ts';
import { toJson } from '../runners/isolated/wire.mjs';
import { describeThrown } from '../runners/module/thrown.mjs';
import type { LoadedModule } from './loader.ts';

type PlainMatch = Exclude<Match, { kind: 'pattern' }>;
export interface PlainHook extends Omit<Hook, 'run' | 'when' | 'match'> {
  readonly match: PlainMatch;
  /** Undefined: the hook is called by its index in the list. */
  readonly missing?: HookFailure;
}
export type PlainPrompt = Omit<LoginPrompt, 'validate' | 'isAsked'> & { readonly kind: LoginPrompt['kind'] };
export interface PlainMethod extends Pick<LoginMethod, 'kind' | 'label'> {
  readonly prompts: readonly PlainPrompt[];
  readonly starts: boolean;
  readonly accepts: boolean;
}
export interface ModuleDescription {
  readonly hooks: readonly PlainHook[];
  readonly tools: readonly { name: string; description: string; parameters: Fields; origin: Origin }[];
  readonly commands: readonly { name: string; description?: string; origin: Origin }[];
  readonly renderers: readonly { type: string; origin: Origin }[];
  readonly auth: readonly {
    provider: string;
    origin: Origin;
    methods: readonly PlainMethod[];
    loads: boolean;
  }[];
  readonly problems: readonly Problem[];
  readonly disposes: boolean;
}
/** The module without items that cannot be transferred. The other process calls items by their index in these lists. */
export interface DescribedModule {
  readonly hooks: readonly Hook[];
  readonly offers: Offers;
  readonly description: ModuleDescription;
}

export function describe({ hooks, offers, problems, dispose }: LoadedModule): DescribedModule {
  const refused: Problem[] = [];
  const canCross = <T extends { readonly origin: Origin }>(
    of: (one: T) => string,
    rest: (one: T) => unknown,
  ) => {
    return (one: T): boolean => {
      const why = obstacleIn(rest(one));
      if (why !== undefined)
        refused.push(refusal(one.origin.file, `${of(one)} cannot be sent to the host process: ${why}`));
      return why === undefined;
    };
  };
  const kept: Offers = {
    tools: offers.tools.filter(canCross(({ name }) => `the tool ${JSON.stringify(name)}`, plainTool)),
    commands: offers.commands,
    renderers: offers.renderers,
    auth: offers.auth.filter(canCross(({ provider }) => `the login for ${provider}`, plainAuth)),
  };
  const description: ModuleDescription = {
    hooks: hooks.map((hook) => plainHook(hook, refused)),
    tools: kept.tools.map(plainTool),
    commands: kept.commands.map(({ name, description, origin }) => ({
      name,
      ...(description !== undefined && { description }),
      origin,
    })),
    renderers: kept.renderers.map(({ type, origin }) => ({ type, origin })),
    auth: kept.auth.map(plainAuth),
    problems: [...problems, ...refused],
    disposes: dispose !== undefined,
  };
  return { hooks, offers: kept, description };
}

/**
 * A matcher written in code cannot run in the other process. Such a hook is reported as broken instead of being
 * dropped.
 */
function plainHook({ run, when, match, ...hook }: Hook, refused: Problem[]): PlainHook {
  if (match.kind === 'pattern' || when !== undefined) {
    const detail = 'its matcher is code, which cannot be sent to the host process';
    refused.push(refusal(hook.origin.file, `${hook.on}: ${detail}`));
    return { ...hook, match: { kind: 'any' }, missing: { kind: 'not-loaded', detail } };
  }
  return { ...hook, match, ...(run.kind === 'missing' && { missing: run.why }) };
}

const plainTool = ({ name, description, parameters, origin }: Offers['tools'][number]) => ({
  name,
  description,
  parameters,
  origin,
});
const plainAuth = ({ provider, origin, methods, load }: Offers['auth'][number]) => ({
  provider,
  origin,
  methods: methods.map(plainMethod),
  loads: load !== undefined,
});
const plainMethod = ({ kind, label, prompts, start, accept }: LoginMethod): PlainMethod => ({
  kind,
  label,
  prompts: prompts.map((prompt) =>
    prompt.kind === 'select'
      ? { kind: prompt.kind, key: prompt.key, message: prompt.message, options: prompt.options }
      : {
          kind: prompt.kind,
          key: prompt.key,
          message: prompt.message,
          ...(prompt.placeholder !== undefined && { placeholder: prompt.placeholder }),
        },
  ),
  starts: start !== undefined,
  accepts: accept !== undefined,
});

function obstacleIn(value: unknown): string | undefined {
  try {
    toJson(value);
    return undefined;
  } catch (error) {
    return describeThrown(error).message;
  }
}

const refusal = (file: string, message: string): Problem => ({
  code: 'not-loaded',
  file,
  message: `${message}.`,
  remedy: "Run it in the host's process, or make it plain data.",
  severity: 'error',
});
