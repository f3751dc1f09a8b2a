/** Traces a refusal to its cause: the hook's location, the rule that matched, and what would have to change. */

import { readFileSync, statSync } from 'node:fs';
import { causesOf } from '../console/causes.ts';
import { took } from '../events/took.mjs';
import {
  type ConsideredHook,
  type ReadRecord,
  recordedText,
  type Redactor,
  type Text,
} from '../journal/index.ts';
import type { Hooks } from '../library/hooks.ts';
import { subjectIn } from '../render/record-lines.ts';
import { safe } from '../render/safe.ts';
import { commandsIn } from '../shell/index.ts';
import { shellWord } from './hook-sheets.ts';
import { shownPlace, type Viewpoint } from './shape.ts';
import type { Advice, RefusalSheet, SourceLine } from './wire.ts';

export interface RefusalInput {
  readonly record: ReadRecord;
  /** The hook that refused. */
  readonly by: string;
  readonly from: Viewpoint;
  /** The current settings, used to find the part of a line that matched. */
  readonly hooks: Pick<Hooks, 'hooks' | 'plan'> | undefined;
  /** Redacts files as the journal would. */
  readonly redactor: Redactor;
}

export function refusalSheet(input: RefusalInput): RefusalSheet {
  const { record, by, from, redactor } = input;
  const run = record.hooks.find(({ hook }) => hook.id === by);
  const reason = record.reasons.find((entry) => entry.by === by);
  const { file, line } = run?.hook ?? {};
  return {
    by: safe(by),
    reason: reason === undefined ? '' : safe(recordedText(reason.text)),
    ...(file !== undefined && { place: shownPlace(file, line, from) }),
    source: file === undefined || line === undefined ? [] : sourceAt(file, line, redactor),
    rule: rulesIn(input, run),
    changes: changesFor(input, run),
  };
}

const AROUND = 6;
const LARGEST = 1_000_000;

/** The lines around it, in the current file. */
function sourceAt(file: string, line: number, redactor: Redactor): SourceLine[] {
  try {
    const status = statSync(file);
    if (!status.isFile() || status.size > LARGEST) return [];
    const lines = redactor.text(readFileSync(file, 'utf8')).text.split('\n');
    const first = Math.max(0, line - 1 - AROUND);
    return lines
      .slice(first, line + AROUND)
      .map((text, at) => ({ number: first + at + 1, text: safe(text), isIt: first + at + 1 === line }));
  } catch {
    return []; // removed since, or not readable
  }
}

function rulesIn(input: RefusalInput, run: ConsideredHook | undefined): RefusalSheet['rule'] {
  const { record } = input;
  const { dialect, on, matcher, what } = run?.hook ?? {};
  const part = matchedPart(input);
  return [
    {
      name: 'Event',
      text: [record.event, on !== undefined && on !== record.event ? `(${dialect}: ${on})` : ''],
    },
    { name: 'Matcher', text: [matcher === undefined ? 'none: it is asked every time' : plain(matcher)] },
    { name: 'Call', text: [subjectIn(record)] },
    ...(part === undefined ? [] : [{ name: 'Because of', text: [part] }]),
    { name: 'Runs', text: [plain(what)] },
  ]
    .map(({ name, text }) => ({ name, text: safe(text.filter(Boolean).join(' ')) }))
    .filter(({ text }) => text !== '');
}

const plain = (text: unknown): string => (text === undefined ? '' : recordedText(text as Text));

/** In a shell line with several commands, the one that the matcher matches under the current settings. */
function matchedPart({ record, by, hooks }: RefusalInput): string | undefined {
  const command = commandOf(record);
  if (command === undefined || hooks === undefined || record.event !== 'tool.before') return undefined;
  const planFor = (text: string) =>
    hooks.plan({ name: 'tool.before', payload: { tool: 'shell', input: { command: text } } });
  const { commands } = commandsIn(command);
  return commands.length < 2 ? undefined : causesOf(planFor(command), commands, planFor).get(by);
}

function commandOf({ before }: ReadRecord): string | undefined {
  const { input } = (before ?? {}) as { input?: { command?: unknown } };
  return typeof input?.command === 'string' ? input.command : undefined;
}

function changesFor({ record, by }: RefusalInput, run: ConsideredHook | undefined): Advice[] {
  const { hook, failed, ms } = run ?? {};
  const command = commandOf(record);
  const isBroken = record.reasons.some((reason) => reason.by === by && reason.broken === true);
  const own: Advice[] =
    isBroken || failed !== undefined
      ? [
          {
            text: `The hook gave no answer (${safe(failed?.kind ?? 'it broke')}${ms === undefined ? '' : ` after ${took(ms)}`}), and for it that means no. Fix what it runs, or change what its failure means (onFailure).`,
          },
        ]
      : [
          {
            text:
              hook?.matcher === undefined
                ? 'Either the call: this hook is asked about every one, and lets pass what its reason does not fit.'
                : `Either the call: this hook is asked only about what matches ${safe(plain(hook.matcher))}, and lets pass what its reason does not fit.`,
          },
        ];
  const isBuiltIn = hook?.file?.startsWith('(') === true;
  return [
    ...own,
    ...(isBuiltIn
      ? [
          {
            text: 'It is built in: what it keeps is for a person to change, not for the agent. Do it yourself.',
          },
        ]
      : [{ text: 'Or the hook: edit it, switch it off, or let it run in shadow', command: 'anyhook hooks' }]),
    ...(command === undefined
      ? []
      : [{ text: 'Try another call, without running it', command: `anyhook explain ${shellWord(command)}` }]),
    {
      text: 'The same in the terminal',
      command: `anyhook why --last ${record.verdict === 'none' ? '' : `${record.verdict} `}--session ${shellWord(record.ids.session)}${record.ids.call === undefined ? '' : ` --call ${shellWord(record.ids.call)}`}`,
    },
  ];
}
