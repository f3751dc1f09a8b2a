import type { Problem } from '../../../events/problems.ts';
import type { Log } from '../../../events/services.ts';
import { describeThrown } from '../../../runners/module/thrown.mjs';
import { placeIn } from './place-in.ts';
import type { LivePlugin } from './start-plugin.ts';

/** What hooks do wrong where nobody waits for them: each in the log, the first of each hook among the problems. */
export class Faults {
  readonly problems: Problem[];
  readonly #log: Log | undefined;
  readonly #known = new Set<string>();

  constructor(problems: readonly Problem[], log: Log | undefined) {
    this.problems = [...problems];
    this.#log = log;
  }

  threw(plugin: LivePlugin, hook: string, thrown: unknown): void {
    this.say(plugin, hook, `it threw: ${describeThrown(thrown).message}`, placeIn(thrown, plugin.target));
  }

  say({ target, name }: LivePlugin, hook: string, message: string, place: Partial<Problem> = {}): void {
    this.#tell(`${target.spec}: ${hook}: ${message}`);
    const key = `${target.file}#${name} ${hook}`;
    if (this.#known.has(key)) return;
    this.#known.add(key);
    this.problems.push({
      code: 'bad-value',
      file: target.file,
      key: hook,
      message,
      ...place,
      severity: 'error',
    });
  }

  /** A log that throws must not turn one plugin's fault into the host's. */
  #tell(message: string): void {
    try {
      this.#log?.('error', message);
    } catch {
      // The problem is still recorded.
    }
  }
}
