/** An open question as a terminal shows it: one line for lists, or everything that the answer covers. */

import type { Question } from '../approvals/question.ts';
import { revealed, revealedText } from '../approvals/reveal.ts';
import { isHeld } from '../approvals/store.ts';
import { relativeTime } from '../render/log-line.ts';
import { type Screen, shortPath } from '../render/screen.ts';
import { wrap } from '../render/wrap.ts';

/** Enough to name one of many. */
export const questionId = ({ hash }: Pick<Question, 'hash'>): string => hash.slice(0, 8);

export function questionLine(question: Question, { width, paint }: Screen): string {
  const { agent, from, tool, event, askedAt } = question;
  const source = from === undefined ? '' : `${revealed(from, 24).padEnd(24)} `;
  const head = `${questionId(question)}  ${relativeTime(askedAt, Date.now()).padEnd(8)} ${source}${revealed(agent, 14).padEnd(14)} `;
  const state = isHeld(question) ? '' : paint('dim', ' (refused for now)');
  return `${head}${revealed(`${tool ?? event}  ${callText(question, ' ')}`, Math.max(20, width - head.length - 20))}${state}`;
}

export function questionLines(question: Question, screen: Screen): string[] {
  const { paint, width } = screen;
  const row = (name: string, text: string): string[] =>
    wrap(`${name.padEnd(9)}${text}`, width, ' '.repeat(9)).map((line, at) =>
      at === 0 ? `${paint('dim', line.slice(0, 9))}${line.slice(9)}` : line,
    );
  const place = (path: string): string => revealed(shortPath(path, { cwd: '', home: screen.home }), 200);
  const { agent, from, title, project, folder, tool, event, subagent, changed, reasons, session } = question;
  return [
    ...(from === undefined ? [] : row('from', revealed(from, 120))),
    ...row(
      'agent',
      `${revealed(agent, 40)}${subagent === undefined ? '' : `, subagent ${revealed(subagent, 40)}`}`,
    ),
    ...row(
      'session',
      title === undefined ? revealed(session, 60) : `${revealed(title, 120)} (${revealed(session, 12)})`,
    ),
    ...row('project', place(project)),
    ...(folder === project ? [] : row('folder', place(folder))),
    '',
    ...row('wants', revealed(tool ?? event, 60)),
    ...wrap(revealedText(callText(question, '\n')), width - 4).map((line) => `    ${paint('bold', line)}`),
    ...(question.callBytes === undefined
      ? []
      : [`    … cut: the whole call has ${question.callBytes} bytes`]),
    ...(changed.length === 0
      ? []
      : row('', `${revealed(changed.join(', '), 200)} was changed by a hook; this is the final form`)),
    '',
    ...reasons.flatMap(({ hook, text }) => [
      ...row('asked by', revealed(hook.replaceAll(`${screen.home}/`, '~/'), 120)),
      ...(text === '' ? [] : row('because', revealed(text, 400))),
    ]),
    ...row('covers', 'exactly this call in this folder and session, and nothing else'),
    ...row('state', stateOf(question)),
    ...(question.failedNotices ?? []).flatMap((why) => row('notice', `failed: ${revealed(why, 200)}`)),
  ];
}

function stateOf(question: Question): string {
  if (isHeld(question)) {
    const left = Math.max(0, Math.round((Date.parse(question.heldUntil!) - Date.now()) / 1000));
    return `the agent waits, ${left > 120 ? `${Math.round(left / 60)} min` : `${left} s`} left`;
  }
  return 'the call was refused for now; once approved, it passes when the agent tries it again';
}

/** A command or path as such; everything else as JSON. */
export function callText({ call }: Pick<Question, 'call'>, between: ' ' | '\n'): string {
  try {
    const input = JSON.parse(call) as Record<string, unknown>;
    const { command, ...rest } = input;
    const others =
      Object.keys(rest).length === 0 ? [] : [JSON.stringify(rest, null, between === '\n' ? 2 : 0)];
    return typeof command === 'string' ? [command, ...others].join(between) : others.join(between);
  } catch {
    return call;
  }
}
