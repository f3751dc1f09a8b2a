/** What stands in a file of cases, checked key by key: a case that is misread would be green for nothing. */
import { readMatcher } from '../agents/anyhook/dialect/match.ts';
import { DIALECTS } from '../dialects.ts';
import type { Definition } from '../events/define.ts';
import type { Fields } from '../events/effects.ts';
import { notAnEvent, readEventWord } from '../events/native-names.ts';
import { rowOf } from '../events/events.ts';
import { isFields } from '../events/fields.ts';
import { nearest } from '../events/problems.ts';
import type { SuiteCase, Expectation, SuiteFault, HostVerdict, Subject, Suite } from './suite.ts';

type Path = readonly (string | number)[];
export interface SuiteSource {
  readonly file: string;
  readonly lineOf: (path: Path) => number;
}
export type CheckedSuite =
  | { readonly suite: Suite; readonly faults: readonly [] }
  | { readonly faults: readonly SuiteFault[] };

const TOP = ['hook', 'command', 'match', 'as', 'hosts', 'folder', 'cases'];
const CASE = ['name', 'event', 'tool', 'input', 'payload', 'expect'];
const EXPECT = ['verdict', 'reason', 'input', 'payload', 'flow', 'says', 'hosts'];
const VERDICTS = ['allow', 'ask', 'defer', 'deny', 'none'];
const NAMES = DIALECTS.map(({ name }) => name);

export function checkSuite(value: unknown, source: SuiteSource): CheckedSuite {
  const faults: SuiteFault[] = [];
  const wrong = (path: Path, message: string): undefined => {
    faults.push({ file: source.file, line: source.lineOf(path), key: path.join('.'), message });
    return undefined;
  };
  const known = (fields: Fields, keys: readonly string[], path: Path) => {
    for (const key of Object.keys(fields).filter((one) => !keys.includes(one))) {
      const near = nearest(key, keys);
      wrong(
        [...path, key],
        `is no key here; ${near === undefined ? `known are ${keys.join(', ')}` : `did you mean ${near}?`}`,
      );
    }
  };
  const names = (list: unknown, path: Path, otherwise: readonly string[]): readonly string[] => {
    if (list === undefined) return otherwise;
    const all: unknown[] = Array.isArray(list) ? list : [list];
    for (const one of all)
      if (!NAMES.includes(String(one)))
        wrong(path, `${JSON.stringify(one)} is no dialect; known are ${NAMES.join(', ')}`);
    return all.map(String);
  };
  const subject = ({ hook, command, match, as }: Fields): Subject => {
    if (hook !== undefined && command !== undefined)
      wrong(['command'], 'a file of cases is about a hook or a command, not both');
    if (match !== undefined && (command === undefined || typeof match !== 'string'))
      wrong(['match'], 'is a matcher for a command: a string beside "command"');
    const fault = typeof match === 'string' ? readMatcher(match, 'tool.before').fault : undefined;
    if (fault !== undefined) wrong(['match'], `${fault.message} ${fault.remedy ?? ''}`.trim());
    if (as !== undefined && command === undefined)
      wrong(['as'], 'says whose words a command speaks; here is none');
    if (typeof hook === 'string') return { kind: 'module', file: hook };
    if (hook !== undefined) {
      const list = (Array.isArray(hook) ? hook : [hook]) as unknown[];
      if (list.every((one) => isFields(one) && typeof one['run'] === 'function'))
        return { kind: 'definitions', definitions: list as Definition[] };
      wrong(['hook'], 'is neither the path of a module nor a hook made by defineHook');
    }
    if (command !== undefined && typeof command !== 'string') wrong(['command'], 'is no text');
    return typeof command === 'string'
      ? {
          kind: 'command',
          line: command,
          as: names(as, ['as'], ['anyhook']),
          ...(typeof match === 'string' && { match }),
        }
      : { kind: 'settings' };
  };
  const verdict = (said: unknown, path: Path, more: readonly string[] = []): HostVerdict => {
    const all = [...VERDICTS, ...more];
    if (!all.includes(String(said)))
      wrong(path, `${JSON.stringify(said)} is no verdict; known are ${all.join(', ')}`);
    return said as HostVerdict; // in `all`, or a fault has been said
  };
  const expected = (said: unknown, path: Path): Expectation => {
    if (!isFields(said)) return { verdict: verdict(said, path) as Expectation['verdict'], hosts: {} };
    known(said, EXPECT, path);
    const { reason, input, payload, flow, says, hosts = {} } = said;
    for (const [key, text] of Object.entries({ reason, says }))
      if (text !== undefined && typeof text !== 'string') wrong([...path, key], 'is no text');
    for (const [key, part] of Object.entries({ input, payload }))
      if (part !== undefined && !isFields(part)) wrong([...path, key], 'is no object');
    if (flow !== undefined && !Array.isArray(flow)) wrong([...path, 'flow'], 'is no list');
    if (!isFields(hosts)) wrong([...path, 'hosts'], 'names agents and what each must make of it');
    const each = Object.entries(isFields(hosts) ? hosts : {});
    for (const [name] of each) names(name, [...path, 'hosts', name], []);
    return {
      verdict: verdict(said['verdict'], [...path, 'verdict']) as Expectation['verdict'],
      hosts: Object.fromEntries(
        each.map(([name, one]) => [name, verdict(one, [...path, 'hosts', name], ['unheard'])]),
      ),
      ...(typeof reason === 'string' && { reason }),
      ...(typeof says === 'string' && { says }),
      ...(isFields(input) && { input }),
      ...(isFields(payload) && { payload }),
      ...(Array.isArray(flow) && { flow: flow.map(String) }),
    };
  };
  const one = (said: unknown, at: number): SuiteCase[] => {
    const path = ['cases', at];
    if (!isFields(said)) return wrong(path, 'is no object') ?? [];
    known(said, CASE, path);
    const { name, event: word, tool, input, payload } = said;
    if (typeof word !== 'string') return wrong([...path, 'event'], 'is missing: what happens?') ?? [];
    const read = readEventWord(word, DIALECTS);
    if (read.kind !== 'event') return wrong([...path, 'event'], notAnEvent(word, read)) ?? [];
    const { event } = read;
    const isTool = rowOf(event).subject === 'tool';
    if (!isTool && (tool ?? input) !== undefined)
      wrong(
        [...path, tool === undefined ? 'input' : 'tool'],
        `belongs to tool events, not to ${event}; use payload`,
      );
    if (isTool && payload === undefined && typeof tool !== 'string')
      wrong([...path, 'tool'], 'is missing: which tool is called?');
    for (const [key, part] of Object.entries({ input, payload }))
      if (part !== undefined && !isFields(part)) wrong([...path, key], 'is no object');
    if (!('expect' in said)) wrong(path, 'has no expect: a case without one can never fail');
    const whole: Fields = {
      ...(payload as Fields | undefined),
      ...(isTool && {
        tool: tool ?? (payload as Fields | undefined)?.['tool'],
        input: input ?? (payload as Fields | undefined)?.['input'] ?? {},
      }),
    };
    return [
      {
        name: typeof name === 'string' ? name : `${event} ${at + 1}`,
        line: source.lineOf(path),
        event,
        payload: whole,
        expect:
          'expect' in said ? expected(said['expect'], [...path, 'expect']) : { verdict: 'none', hosts: {} },
      },
    ];
  };
  if (!isFields(value)) {
    wrong([], 'is no object with cases');
    return { faults };
  }
  known(value, TOP, []);
  const { cases } = value;
  if (!Array.isArray(cases) || cases.length === 0)
    wrong(['cases'], 'is missing or empty: nothing would be tested');
  const { folder } = value;
  if (folder !== undefined && folder !== 'empty')
    wrong(['folder'], 'says "empty", or nothing: where the hooks are asked');
  const suite: Suite = {
    file: source.file,
    ...(folder === 'empty' && { folder }),
    subject: subject(value),
    hosts: names(value['hosts'], ['hosts'], NAMES),
    cases: (Array.isArray(cases) ? (cases as unknown[]) : []).flatMap(one),
  };
  return faults.length > 0 ? { faults } : { suite, faults: [] };
}
