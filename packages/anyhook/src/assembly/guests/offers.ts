/** What a module in its own process offers, in a host's terms: every call goes over, and says so when nobody is there. */
import type {
  LoginDone,
  LoginMethod,
  LoginPrompt,
  LoginStarted,
  OfferedAuth,
  OfferedTool,
  Offers,
  ToolOutcome,
} from '../../canon/offers.ts';
import type { OpenedProgram } from '../../runners/isolated/open-program.ts';
import { withAbort } from './abort.ts';
import { fetchOver } from './fetch.ts';
import type { Served } from './serve.ts';
import type { Told, ToldMethod } from './told.ts';

type Use = OpenedProgram['use'];
/** `Served`, as it is called from here. */
type Called = {
  [M in keyof Served]: Served[M] extends (...args: never[]) => infer R
    ? (...args: unknown[]) => Promise<Awaited<R>>
    : never;
};

export function offersOver(told: Told, use: Use): Offers {
  const call = <T>(work: (served: Called) => Promise<T>, signal?: AbortSignal): Promise<T> =>
    use((main) => work(main as Called), signal);
  return {
    tools: told.tools.map((tool, at) => ({ ...tool, execute: toolOver(at, call) })),
    commands: told.commands.map((command, at) => ({
      ...command,
      run: (args, signal) =>
        withAbort(signal, (aborted) => call((served) => served.command(at, args, aborted), signal)),
    })),
    renderers: told.renderers.map((renderer, at) => ({
      ...renderer,
      async render(message, how) {
        const lines = await call((served) => served.render(at, message, how));
        return lines === undefined ? undefined : [...lines];
      },
    })),
    auth: told.auth.map((auth, at) => authOver(auth, at, call, use)),
  };
}
type Call = <T>(work: (served: Called) => Promise<T>, signal?: AbortSignal) => Promise<T>;

const toolOver =
  (at: number, call: Call): OfferedTool['execute'] =>
  (input, { signal, progress = null, ...scene }) =>
    withAbort(signal, async (aborted) =>
      own<ToolOutcome>(await call((served) => served.tool(at, input, scene, aborted, progress), signal)),
    );

function authOver(told: Told['auth'][number], at: number, call: Call, use: Use): OfferedAuth {
  const { provider, origin, methods, loads } = told;
  return {
    provider,
    origin,
    methods: methods.map((method, index) => methodOver(method, [at, index], call)),
    ...(loads && {
      async load(credential, about) {
        const options = await call((served) => served.load(at, credential, about));
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

function methodOver(told: ToldMethod, at: readonly [number, number], call: Call): LoginMethod {
  const { kind, label, prompts, starts, accepts } = told;
  return {
    kind,
    label,
    prompts: prompts.map((prompt, index) => ({
      ...(prompt as LoginPrompt), // plain fields of the same kind; its questions follow
      validate: (value: string) => call((served) => served.validate(...at, index, value)),
      isAsked: (answers: object) => call((served) => served.isAsked(...at, index, answers)),
    })) as readonly LoginPrompt[],
    ...(starts && {
      async start(answers) {
        const started = await call((served) => served.start(...at, answers));
        if (started === undefined) throw new Error(`${label} did not start`);
        const { url, instructions, way, finish } = started as LoginStarted;
        const done = async (code?: string) => own(await call(() => finish(code)));
        return { url, instructions, way, finish: done };
      },
    }),
    ...(accepts && {
      accept: async (answers) =>
        own<LoginDone | undefined>(await call((served) => served.accept(...at, answers))),
    }),
  };
}

/** Without what the wire hangs on results. */
const own = <T>(value: T): T =>
  typeof value === 'object' && value !== null ? (Object.fromEntries(Object.entries(value)) as T) : value;
