/** Validates a file of cases key by key, because a case that is misread would pass without testing anything. */

import { readMatcher } from '../agents/anyhook/dialect/match.ts';
import { DIALECTS } from '../dialects.ts';
import type { Definition } from '../events/define.ts';
import type { Fields } from '../events/effects.ts';
import { rowOf } from '../events/events.ts';
import { isFields } from '../events/fields.ts';
import { notAnEvent, readEventWord } from '../events/native-names.ts';
import { nearest } from '../events/problems.ts';
import { parseDurationMs } from '../events/rule.ts';
import { type Usage, usageFault } from '../events/usage.ts';
import type {
  EarlierStep,
  SuiteCase,
  Expectation,
  SuiteFault,
  HostVerdict,
  Subject,
  Suite,
} from './suite.ts';

type Path = readonly (string | number)[];
export interface SuiteSource {
  readonly file: string;
  readonly lineOf: (path: Path) => number;
}
export type CheckedSuite =
  | { readonly suite: Suite; readonly faults: readonly [] }
  | { readonly faults: readonly SuiteFault[] };

const TOP = ['hook', 'command', 'match', 'as', 'hosts', 'folder', 'cases'];
const CASE = ['name', 'earlier', 'usage', 'event', 'tool', 'input', 'payload', 'expect'];
const EARLIER = ['prompt', 'tool', 'input', 'outcome', 'ago', 'elsewhere'];
const OUTCOMES = ['succeeded', 'failed', 'refused', 'running'] as const;
const EXPECT = ['verdict', 'reason', 'input', 'payload', 'flow', 'says', 'hosts'];
const VERDICTS = ['allow', 'ask', 'defer', 'deny', 'none'];
const NAMES = DIALECTS.map(({ name }) => name);

export function checkSuite(value: unknown, source: SuiteSource): CheckedSuite {
  const reader = new SuiteReader(source);
  const suite = reader.suite(value);
  return suite === undefined || reader.faults.length > 0 ? { faults: reader.faults } : { suite, faults: [] };
}

/** Reads a document of test cases and collects what is wrong with it. */
class SuiteReader {
  readonly faults: SuiteFault[] = [];
  readonly #source: SuiteSource;

  constructor(source: SuiteSource) {
    this.#source = source;
  }

  suite(value: unknown): Suite | undefined {
    if (!isFields(value)) return this.#wrong([], 'is not an object with cases');
    this.#checkKeys(value, TOP, []);
    const { cases, folder } = value;
    if (!Array.isArray(cases) || cases.length === 0)
      this.#wrong(['cases'], 'is missing or empty: nothing would be tested');
    if (folder !== undefined && folder !== 'empty')
      this.#wrong(['folder'], 'must be "empty", or left out: the folder in which hooks run');
    return {
      file: this.#source.file,
      ...(folder === 'empty' && { folder }),
      subject: this.#subject(value),
      hosts: this.#dialects(value['hosts'], ['hosts'], NAMES),
      cases: (Array.isArray(cases) ? (cases as unknown[]) : []).flatMap((one, at) => this.#case(one, at)),
    };
  }

  #subject({ hook, command, match, as }: Fields): Subject {
    if (hook !== undefined && command !== undefined)
      this.#wrong(['command'], 'a file of cases tests a hook or a command, not both');
    this.#checkMatch(match, command);
    if (as !== undefined && command === undefined)
      this.#wrong(['as'], 'names the dialect of a command, and there is no command');
    if (typeof hook === 'string') return { kind: 'module', file: hook };
    if (hook !== undefined) {
      const list = (Array.isArray(hook) ? hook : [hook]) as unknown[];
      if (list.every((one) => isFields(one) && typeof one['run'] === 'function'))
        return { kind: 'definitions', definitions: list as Definition[] };
      this.#wrong(['hook'], 'is neither the path of a module nor a hook made by defineHook');
    }
    if (command !== undefined && typeof command !== 'string') this.#wrong(['command'], 'is not a string');
    if (typeof command !== 'string') return { kind: 'settings' };
    return {
      kind: 'command',
      line: command,
      as: this.#dialects(as, ['as'], ['anyhook']),
      ...(typeof match === 'string' && { match }),
    };
  }

  #checkMatch(match: unknown, command: unknown): void {
    if (match === undefined) return;
    if (command === undefined || typeof match !== 'string')
      return void this.#wrong(['match'], 'is a matcher for a command: a string beside "command"');
    const { fault } = readMatcher(match, 'tool.before');
    if (fault !== undefined) this.#wrong(['match'], `${fault.message} ${fault.remedy ?? ''}`.trim());
  }

  #case(value: unknown, at: number): SuiteCase[] {
    const path = ['cases', at];
    if (!isFields(value)) return this.#wrong(path, 'is not an object') ?? [];
    this.#checkKeys(value, CASE, path);
    const { name, event: word, tool, input, payload } = value;
    if (typeof word !== 'string')
      return this.#wrong([...path, 'event'], 'is missing. Write the event, such as tool.before') ?? [];
    const read = readEventWord(word, DIALECTS);
    if (read.kind !== 'event') return this.#wrong([...path, 'event'], notAnEvent(word, read)) ?? [];
    const { event } = read;
    const isTool = rowOf(event).subject === 'tool';
    if (!isTool && (tool ?? input) !== undefined)
      this.#wrong(
        [...path, tool === undefined ? 'input' : 'tool'],
        `needs a tool event, not ${event}; use payload`,
      );
    if (isTool && payload === undefined && typeof tool !== 'string')
      this.#wrong([...path, 'tool'], 'is missing: which tool is called?');
    this.#checkObjects({ input, payload }, path);
    if (!('expect' in value)) this.#wrong(path, 'has no expect: a case without one can never fail');
    const given = payload as Fields | undefined;
    const earlier = this.#earlier(value['earlier'], [...path, 'earlier']);
    const usage = this.#usage(value['usage'], [...path, 'usage']);
    return [
      {
        name: typeof name === 'string' ? name : `${event} ${at + 1}`,
        line: this.#source.lineOf(path),
        event,
        ...(earlier.length > 0 && { earlier }),
        ...(usage && { usage }),
        payload: {
          ...given,
          ...(isTool && { tool: tool ?? given?.['tool'], input: input ?? given?.['input'] ?? {} }),
        },
        expect:
          'expect' in value
            ? this.#expectation(value['expect'], [...path, 'expect'])
            : { verdict: 'none', hosts: {} },
      },
    ];
  }

  #earlier(value: unknown, path: Path): readonly EarlierStep[] {
    if (value === undefined) return [];
    if (!Array.isArray(value)) return this.#wrong(path, 'is not a list of earlier calls and prompts') ?? [];
    return (value as unknown[]).flatMap((step, at) => this.#step(step, [...path, at]) ?? []);
  }
  #usage(value: unknown, path: Path): Usage | undefined {
    if (value === undefined) return undefined;
    const fault = usageFault(value);
    return fault === undefined ? (value as Usage) : this.#wrong(path, fault);
  }
  #step(value: unknown, path: Path): EarlierStep | undefined {
    if (!isFields(value)) return this.#wrong(path, 'is not an object');
    this.#checkKeys(value, EARLIER, path);
    const { prompt, tool, input = {}, outcome = 'succeeded', ago, elsewhere = false } = value;
    if (typeof prompt === 'string' && tool === undefined) return { kind: 'prompt', prompt };
    if (typeof tool !== 'string') return this.#wrong(path, 'names neither a tool nor a prompt');
    const known = OUTCOMES.find((one) => one === outcome);
    if (known === undefined)
      this.#wrong(
        [...path, 'outcome'],
        `unknown outcome ${JSON.stringify(outcome)}; known: ${OUTCOMES.join(', ')}`,
      );
    const duration = ago === undefined ? 0 : parseDurationMs(ago);
    if (duration === undefined)
      this.#wrong([...path, 'ago'], 'is not a duration. Write a number with s, m, h or d, such as 30m');
    if (typeof elsewhere !== 'boolean') this.#wrong([...path, 'elsewhere'], 'is not true or false');
    this.#checkObjects({ input }, path);
    return {
      kind: 'call',
      tool,
      input: input as Fields,
      outcome: known ?? 'succeeded',
      agoMs: duration ?? 0,
      isElsewhere: elsewhere === true,
    };
  }

  #expectation(value: unknown, path: Path): Expectation {
    if (!isFields(value)) return { verdict: this.#verdict(value, path) as Expectation['verdict'], hosts: {} };
    this.#checkKeys(value, EXPECT, path);
    const { reason, input, payload, flow, says, hosts = {} } = value;
    for (const [key, text] of Object.entries({ reason, says }))
      if (text !== undefined && typeof text !== 'string') this.#wrong([...path, key], 'is not a string');
    this.#checkObjects({ input, payload }, path);
    if (flow !== undefined && !Array.isArray(flow)) this.#wrong([...path, 'flow'], 'is not a list');
    if (!isFields(hosts)) this.#wrong([...path, 'hosts'], 'is not an object of agents and verdicts');
    const each = Object.entries(isFields(hosts) ? hosts : {});
    for (const [name] of each) this.#dialects(name, [...path, 'hosts', name], []);
    return {
      verdict: this.#verdict(value['verdict'], [...path, 'verdict']) as Expectation['verdict'],
      hosts: Object.fromEntries(
        each.map(([name, one]) => [name, this.#verdict(one, [...path, 'hosts', name], ['unheard'])]),
      ),
      ...(typeof reason === 'string' && { reason }),
      ...(typeof says === 'string' && { says }),
      ...(isFields(input) && { input }),
      ...(isFields(payload) && { payload }),
      ...(Array.isArray(flow) && { flow: flow.map(String) }),
    };
  }

  #verdict(value: unknown, path: Path, more: readonly string[] = []): HostVerdict {
    const known = [...VERDICTS, ...more];
    if (!known.includes(String(value)))
      this.#wrong(path, `unknown verdict ${JSON.stringify(value)}; known: ${known.join(', ')}`);
    return value as HostVerdict; // known, or the suite is not used
  }

  #dialects(value: unknown, path: Path, otherwise: readonly string[]): readonly string[] {
    if (value === undefined) return otherwise;
    const all: unknown[] = Array.isArray(value) ? value : [value];
    for (const name of all)
      if (!NAMES.includes(String(name)))
        this.#wrong(path, `unknown dialect ${JSON.stringify(name)}; known: ${NAMES.join(', ')}`);
    return all.map(String);
  }

  #checkObjects(parts: Readonly<Record<string, unknown>>, path: Path): void {
    for (const [key, part] of Object.entries(parts))
      if (part !== undefined && !isFields(part)) this.#wrong([...path, key], 'is not an object');
  }

  #checkKeys(fields: Fields, keys: readonly string[], path: Path): void {
    for (const key of Object.keys(fields).filter((one) => !keys.includes(one))) {
      const near = nearest(key, keys);
      this.#wrong(
        [...path, key],
        `unknown key; ${near === undefined ? `known: ${keys.join(', ')}` : `did you mean ${near}?`}`,
      );
    }
  }

  #wrong(path: Path, message: string): undefined {
    this.faults.push({
      file: this.#source.file,
      line: this.#source.lineOf(path),
      key: path.join('.'),
      message,
    });
    return undefined;
  }
}
