/**
 * Exposes the offers of a module as methods of its process. The host calls them by their index in the described lists.
 */

import type { Fields } from '../events/effects.ts';
import type { Credential, LoginPrompt, LoginStarted, Offers, ToolCallScene } from '../events/offers.ts';

type Answers = Readonly<Record<string, string>>;
export type OfferMethods = ReturnType<typeof offerMethods>;

export function offerMethods({ tools, commands, renderers, auth }: Offers, dispose?: () => Promise<void>) {
  const promptAt = (at: number, method: number, prompt: number): LoginPrompt =>
    found(found(found(auth, at).methods, method).prompts, prompt);
  return {
    tool: (at: number, input: Fields, scene: ToolCallScene) => found(tools, at).execute(input, scene),
    command: (at: number, args: string, signal?: AbortSignal) => found(commands, at).run(args, signal),
    render: (at: number, message: Fields, how: { width: number; expanded: boolean }) =>
      found(renderers, at).render(message, how),
    async validate(at: number, method: number, prompt: number, value: string): Promise<string | undefined> {
      const asked = promptAt(at, method, prompt);
      return asked.kind === 'text' ? await asked.validate(value) : undefined;
    },
    isAsked: (at: number, method: number, prompt: number, answers: Answers) =>
      promptAt(at, method, prompt).isAsked(answers),
    async start(at: number, method: number, answers: Answers): Promise<LoginStarted | undefined> {
      const started = await found(found(auth, at).methods, method).start?.(answers);
      if (started === undefined) return undefined;
      const { url, instructions, way } = started;
      return { url, instructions, way, finish: (code) => started.finish(code) };
    },
    accept: async (at: number, method: number, answers: Answers) =>
      await found(found(auth, at).methods, method).accept?.(answers),
    /** Options that are functions, such as `fetch`, are called from the host. */
    authOptions: async (at: number, credential: () => Promise<Credential | undefined>, provider: Fields) => ({
      ...(await found(auth, at).load?.(credential, provider)),
    }),
    dispose: async () => await dispose?.(),
  };
}

function found<T>(list: readonly T[], at: number): T {
  const one = list[at];
  if (one === undefined) throw new RangeError(`the module offers nothing at index ${at}`);
  return one;
}
