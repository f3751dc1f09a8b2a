/** What an isolated module offers, as its host calls it: by place in the lists it was told. */
import { RpcTarget } from 'capnweb';
import type { Fields } from '../../canon/effects.ts';
import type { Credential, LoginPrompt, LoginStarted, Offers, ToolCallScene } from '../../canon/offers.ts';
import { NO_OFFERS } from '../../canon/offers.ts';
import { type Aborted, followed } from './abort.ts';

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
    const { signal, release } = followed(aborted);
    const given = { ...scene, signal, ...(progress !== null && { progress }) };
    return await tool.execute(input, given).finally(release);
  }
  async command(at: number, args: string, aborted: Aborted): Promise<void> {
    const command = found(this.#offers.commands, at);
    const { signal, release } = followed(aborted);
    await command.run(args, signal).finally(release);
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
