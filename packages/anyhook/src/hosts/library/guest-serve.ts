/** What an isolated module offers, as its host calls it: by place in the lists it was told. */
import { RpcTarget } from 'capnweb';
import type { Fields } from '../../canon/effects.ts';
import type { Credential, LoginPrompt, LoginStarted, Offers, ToolCallScene } from '../../canon/offers.ts';
import { NO_OFFERS } from '../../canon/offers.ts';

/** Resolves when the caller gives up. */
export type Aborted = () => Promise<void>;
type Answers = Readonly<Record<string, string>>;
type Progress = NonNullable<ToolCallScene['progress']>;

export class Served extends RpcTarget {
  #offers: Offers = NO_OFFERS;
  #dispose: (() => Promise<void>) | undefined;

  /** Not callable from afar: it is said before the host is told that anything is there. */
  static fill(served: Served, offers: Offers, dispose: (() => Promise<void>) | undefined): void {
    served.#offers = offers;
    served.#dispose = dispose;
  }

  async tool(
    at: number,
    input: Fields,
    scene: Omit<ToolCallScene, 'signal' | 'progress'>,
    aborted: Aborted,
    progress: Progress | null,
  ) {
    const tool = found(this.#offers.tools, at);
    return await tool.execute(input, {
      ...scene,
      signal: signalOf(aborted),
      ...(progress !== null && { progress }),
    });
  }
  async command(at: number, args: string, aborted: Aborted): Promise<void> {
    await found(this.#offers.commands, at).run(args, signalOf(aborted));
  }
  async render(at: number, message: Fields, how: { width: number; expanded: boolean }) {
    return await found(this.#offers.renderers, at).render(message, how);
  }
  async validate(at: number, method: number, prompt: number, value: string): Promise<string | undefined> {
    const asked = this.#prompt(at, method, prompt);
    return asked.kind === 'text' ? await asked.validate(value) : undefined;
  }
  async isAsked(at: number, method: number, prompt: number, answers: Answers): Promise<boolean> {
    return await this.#prompt(at, method, prompt).isAsked(answers);
  }
  async start(at: number, method: number, answers: Answers): Promise<LoginStarted | undefined> {
    const started = await found(found(this.#offers.auth, at).methods, method).start?.(answers);
    if (started === undefined) return undefined;
    const { url, instructions, way } = started;
    return { url, instructions, way, finish: (code) => started.finish(code) };
  }
  async accept(at: number, method: number, answers: Answers) {
    return await found(found(this.#offers.auth, at).methods, method).accept?.(answers);
  }
  /** Functions among the options are called from the host, `fetch` above all. */
  async load(
    at: number,
    credential: (() => Promise<Credential | undefined>) & { dup?(): never },
    provider: Fields,
  ) {
    const kept: typeof credential = credential.dup?.() ?? credential; // asked for again with every request
    return { ...(await found(this.#offers.auth, at).load?.(() => kept(), provider)) };
  }
  async dispose(): Promise<void> {
    await this.#dispose?.();
  }

  #prompt(at: number, method: number, prompt: number): LoginPrompt {
    return found(found(found(this.#offers.auth, at).methods, method).prompts, prompt);
  }
}

function found<T>(list: readonly T[], at: number): T {
  const one = list[at];
  if (one === undefined) throw new RangeError(`the module offers nothing at place ${at}`);
  return one;
}

function signalOf(aborted: Aborted & { dup?(): Aborted }): AbortSignal {
  const abort = new AbortController();
  aborted().then(
    () => abort.abort(),
    () => {}, // the call is over, or the host is gone
  );
  return abort.signal;
}
