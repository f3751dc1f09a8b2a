/** Renders a journal record: one line for `log`, all hooks for `why`. */

import { took } from '../events/took.mjs';
import { isStricter, type WouldHave } from '../events/would-have.ts';
import type { ConsideredHook, ReadRecord, Text } from '../journal/index.ts';
import { recordedText } from '../journal/index.ts';
import { backgroundWords } from './background.ts';
import { effectWords, heldBack } from './effect-words.ts';
import type { Style } from './paint.ts';
import { brief, safe } from './safe.ts';
import { type Screen, shortPath } from './screen.ts';
import { wrap } from './wrap.ts';

const COLOUR: Record<ReadRecord['verdict'], Style> = {
  allow: 'green',
  none: 'dim',
  ask: 'yellow',
  defer: 'yellow',
  deny: 'red',
};

function headLines(record: ReadRecord, screen: Screen): string[] {
  const { paint, width } = screen;
  const marks = [
    ...(record.late === true ? record.hooks.map((one) => paint('cyan', backgroundWords(one))) : []),
    ...(record.paused === true ? [paint('yellow', 'paused')] : []),
    ...(record.hooks.some(({ failedOpen }) => failedOpen === true) ? [paint('yellow', 'failed open')] : []),
    ...(record.changed.length > 0
      ? [paint('cyan', `changed ${brief(record.changed.map(({ at }) => at).join(', '), 80)}`)]
      : []),
  ];
  const head = [
    paint('dim', record.at.slice(0, 19).replace('T', ' ')),
    paint(COLOUR[record.verdict], record.verdict.padEnd(5)),
    safe(record.event),
    brief(subjectIn(record), 50),
    ...marks,
  ];
  return wrap(head.filter(Boolean).join('  '), width, '    ');
}

export function recordLine(record: ReadRecord, screen: Screen): string[] {
  const { paint, width } = screen;
  const [reason] = record.reasons;
  const would = difference(record);
  return [
    ...headLines(record, screen),
    ...(reason === undefined
      ? []
      : wrap(
          `    ${brief(`${decider(record, reason.by, screen)}: ${recordedText(reason.text)}`, 2 * width)}`,
          width,
          '    ',
        )),
    ...(would === undefined
      ? []
      : [
          `    ${paint('dim', `${decider(record, would.reasons[0]?.by ?? '', screen)}, in shadow:`)} ${heldBack(would, paint)}`,
        ]),
  ];
}

/** Returns the refusal in shadow if it would have changed the verdict. */
const difference = ({ wouldHave, verdict }: ReadRecord): WouldHave | undefined =>
  wouldHave !== undefined && isStricter(wouldHave, verdict) ? wouldHave : undefined;

/** Returns file and line of the hook that decided. */
function decider({ hooks }: ReadRecord, id: string, screen: Screen): string {
  const { file, line } = hooks.find(({ hook }) => hook.id === id)?.hook ?? {};
  return file === undefined || file.startsWith('(') ? id : `${shortPath(file, screen)}:${line}`;
}

/** `why` shows reasons at full length, up to this limit. */
const LONGEST_REASON = 500;

export function subjectIn({ before, native }: Pick<ReadRecord, 'before' | 'native'>): string {
  const { tool, input, prompt } = (before ?? {}) as { tool?: unknown; input?: unknown; prompt?: unknown };
  if (typeof tool === 'string') {
    const { command, path } = (input ?? {}) as { command?: unknown; path?: unknown };
    return `${native?.tool ?? tool} ${plain(command ?? path)}`.trim();
  }
  return plain(prompt);
}
const plain = (value: unknown): string => (value === undefined ? '' : recordedText(value as Text));

export function recordChain(record: ReadRecord, screen: Screen): string[] {
  const { paint, width } = screen;
  const would = difference(record);
  return [
    ...headLines(record, screen),
    `    ${paint('dim', `session ${safe(record.ids.session)} · ${safe(record.host.name)}${record.tookMs === undefined ? '' : ` · ${took(record.tookMs)}`}`)}`,
    ...record.hooks.flatMap((one, at) => considered(one, at + 1, screen)),
    ...record.unmatched.map((id) => `-   ${paint('dim', 'did not match')}: ${brief(id, width - 22)}`),
    ...(record.after === undefined
      ? []
      : [
          `before  ${brief(JSON.stringify(record.before), width - 8)}`,
          `after   ${brief(JSON.stringify(record.after), width - 8)}`,
        ]),
    ...record.lost.map((what) => `${paint('yellow', 'lost')}  ${brief(what, width - 6)}`),
    `→ ${paint(COLOUR[record.verdict], record.verdict === 'none' ? 'no objection' : record.verdict)}${
      record.reasons.length === 0
        ? ''
        : `: ${brief(record.reasons.map(({ text }) => recordedText(text)).join('; '), width - 10)}`
    }${would === undefined ? '' : `; in shadow ${heldBack(would, paint)}`}`,
  ];
}

function considered(one: ConsideredHook, at: number, screen: Screen): string[] {
  const { hook, round, ms, skipped, late, effects = [], failed, failedOpen, ignored = [], notes } = one;
  const { paint, width } = screen;
  const parts = [
    ...(late === undefined ? [] : [backgroundWords(one)]),
    ...(failed === undefined
      ? []
      : [
          paint(
            'red',
            `broke (${failed.kind}${failed.detail === undefined ? '' : `: ${safe(failed.detail)}`})`,
          ),
        ]),
    ...(failedOpen === true ? [paint('yellow', 'let pass')] : []),
    ...(notes?.doubt === undefined ? [] : [paint('yellow', `in doubt: ${brief(notes.doubt, 80)}`)]),
    ...effects.map((effect) => effectWords(effect, ignored, paint, LONGEST_REASON)),
  ];
  const what =
    skipped === undefined || late !== undefined
      ? parts.length === 0
        ? paint('dim', 'no objection')
        : parts.join(', ')
      : paint('yellow', `did not run: ${safe(recordedText(skipped))}`);
  const { file, line } = hook;
  const place =
    file === undefined
      ? safe(hook.id)
      : `${shortPath(file, screen)}${file.startsWith('(') ? '' : `:${line}`}`;
  return [
    ...wrap(
      `${`${at}.`.padEnd(3)} ${what}${round === 2 ? ' (asked again about the final call)' : ''}`,
      width,
      '    ',
    ),
    `    ${brief(hook.what ?? hook.id, width - 4)}`,
    `    ${paint('dim', `${place}${late === undefined ? ` · ${skipped === undefined ? took(ms) : 'not run'}` : ''}`)}`,
  ];
}
