import type { Problem } from '../../../events/problems.ts';
import type { Log } from '../../../events/services.ts';
import { describeThrown } from '../../../runners/module/thrown.mjs';
import { placeIn } from './place-in.ts';
import type { LivePlugin } from './start-plugin.ts';

/** Collects errors of hooks that nobody awaits. All are logged, and the first of each hook becomes a problem. */
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

  /** A log that throws must not turn a plugin error into a host error. */
  #tell(message: string): void {
    try {
      this.#log?.('error', message);
    } catch {
      // The problem is still recorded.
    }
  }
}
