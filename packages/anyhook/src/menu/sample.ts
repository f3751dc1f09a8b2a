/** Makes up an event that a hook would be called for, from its event name and matcher. */

import { DIALECTS, eventHeardBy } from '../dialects.ts';
import { type EventName, type Payload, rowOf } from '../events/events.ts';
import type { Hook } from '../events/hook.ts';
import { namesIn } from '../events/lexicon.ts';
import { TOOLS } from '../events/tools.ts';

export interface Sample {
  readonly name: EventName;
  readonly payload: Payload;
}

/** Undefined if the hook listens to no event that we know. */
export async function sampleFor(hook: Hook): Promise<Sample | undefined> {
  const name = eventHeardBy(hook);
  if (name === undefined) return undefined;
  const { SAMPLES } = await import('../testing/event.ts');
  const { subject } = rowOf(name);
  const payload = { ...(SAMPLES[name] as Record<string, unknown>) };
  const word = name === 'other' ? hook.on : subjectFor(hook, subject);
  if (subject !== null && word !== undefined) payload[subject] = word;
  if (subject === 'tool') payload['input'] = inputFor(hook, String(payload['tool']));
  return { name, payload: payload as Payload };
}

/** The first subject that its matcher matches. */
function subjectFor({ match, dialect: name }: Hook, subject: string | null): string | undefined {
  if (match.kind === 'any') return undefined;
  if (match.kind === 'names') return match.names[0];
  if (subject !== 'tool') return undefined;
  const own = DIALECTS.filter((dialect) => dialect.name === name);
  return [...own, ...DIALECTS]
    .flatMap(({ tools }) => Object.keys(TOOLS).flatMap((tool) => namesIn(tools, tool)))
    .concat('mcp__server__tool')
    .find((tool) => match.test(tool));
}

const INPUTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  shell: { command: 'echo hello' },
  read: { path: 'README.md' },
  write: { path: 'notes.txt', content: 'hello\n' },
  edit: { path: 'notes.txt', old: 'hello', new: 'goodbye' },
  'multi-edit': { path: 'notes.txt', edits: [{ old: 'hello', new: 'goodbye' }] },
  glob: { pattern: '**/*.ts' },
  grep: { pattern: 'hello' },
  fetch: { url: 'http://127.0.0.1/' },
  task: { description: 'look', prompt: 'look around' },
  todo: { todos: [] },
};

/** `Bash(git push *)`: a command that matches such a rule. */
function inputFor({ matcher = '' }: Hook, tool: string): Readonly<Record<string, unknown>> {
  const ours =
    Object.keys(TOOLS).find(
      (name) => name === tool || DIALECTS.some(({ tools }) => namesIn(tools, name).includes(tool)),
    ) ?? '';
  const input = INPUTS[ours] ?? {};
  const [, glob] = /^[\w-]+\((.+)\)$/s.exec(matcher) ?? [];
  if (glob === undefined) return input;
  const text = glob.replace(/:\*$/, '').replaceAll('*', 'x').replaceAll('?', 'x').trim();
  if (ours === 'shell') return { ...input, command: text };
  return 'path' in input ? { ...input, path: text } : input;
}
