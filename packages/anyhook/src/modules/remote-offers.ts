/**
 * Exposes the offers of an isolated module to the host. Every call goes to its process, and rejects if the process has
 * ended.
 */

import type { LoginMethod, LoginPrompt, OfferedAuth, OfferedTool, Offers } from '../events/offers.ts';
import type { OpenedForeign } from '../runners/isolated/open-foreign.ts';
import type { ModuleDescription, PlainMethod } from './description.ts';
import type { OfferMethods } from './offer-methods.ts';
import { fetchOver } from './remote-fetch.ts';

type Use = OpenedForeign['use'];
/**
 * Calls a method in the module's process. If a signal argument aborts and the module ignores it, the process is killed.
 */
type Call = <M extends keyof OfferMethods>(
  method: M,
  args: Parameters<OfferMethods[M]>,
  signal?: AbortSignal,
) => Promise<Awaited<ReturnType<OfferMethods[M]>>>;

export function offersOver({ tools, commands, renderers, auth }: ModuleDescription, use: Use): Offers {
  // Returns what the method of that name returns in the process.
  const call: Call = (method, args, signal) => use((far) => far(method, ...args) as Promise<never>, signal);
  return {
    tools: tools.map((tool, at) => ({ ...tool, execute: toolOver(at, call) })),
    commands: commands.map((command, at) => ({
      ...command,
      run: (args, signal) => call('command', [at, args, signal], signal),
    })),
    renderers: renderers.map((renderer, at) => ({
      ...renderer,
      render: (message, how) => call('render', [at, message, how]),
    })),
    auth: auth.map((one, at) => authOver(one, at, call, use)),
  };
}

const toolOver =
  (at: number, call: Call): OfferedTool['execute'] =>
  (input, scene) =>
    call('tool', [at, input, scene], scene.signal);

function authOver(
  described: ModuleDescription['auth'][number],
  at: number,
  call: Call,
  use: Use,
): OfferedAuth {
  const { provider, origin, methods, loads } = described;
  return {
    provider,
    origin,
    methods: methods.map((method, index) => methodOver(method, [at, index], call, use)),
    ...(loads && {
      async load(credential, about) {
        const options = await call('authOptions', [at, credential, about]);
        return Object.fromEntries(
          Object.entries(options).map(([name, value]) => [
            name,
            typeof value === 'function' ? fetchOver(value as never, use) : value,
          ]),
        );
      },
    }),
  };
}

function methodOver(
  described: PlainMethod,
  at: readonly [number, number],
  call: Call,
  use: Use,
): LoginMethod {
  const { kind, label, prompts, starts, accepts } = described;
  return {
    kind,
    label,
    prompts: prompts.map((prompt, index) => ({
      ...(prompt as LoginPrompt), // plain fields of the same kind; questions follow below
      validate: (value: string) => call('validate', [...at, index, value]),
      isAsked: (answers: Readonly<Record<string, string>>) => call('isAsked', [...at, index, answers]),
    })) as readonly LoginPrompt[],
    ...(starts && {
      async start(answers) {
        const started = await call('start', [...at, answers]);
        if (started === undefined) throw new Error(`${label} did not start`);
        return { ...started, finish: (code) => use(() => started.finish(code)) };
      },
    }),
    ...(accepts && { accept: (answers) => call('accept', [...at, answers]) }),
  };
}
