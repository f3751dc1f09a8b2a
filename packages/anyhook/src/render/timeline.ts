/** Renders what happened to one event, in words that a newcomer understands. */

import type { FlowKind } from '../events/effects.ts';
import { type Hook, isBuiltIn, label } from '../events/hook.ts';
import type { Ruling, Run } from '../events/outcome.ts';
import { isStricter, wouldHave } from '../events/would-have.ts';
import { effectWords, heldBack } from './effect-words.ts';
import type { Paint, Style } from './paint.ts';
import { brief, safe } from './safe.ts';

const COLOUR: Record<Ruling['verdict'], Style> = {
  allow: 'green',
  none: 'dim',
  ask: 'yellow',
  defer: 'yellow',
  deny: 'red',
};
const TURNS: Record<FlowKind, string> = {
  halt: 'the agent stops',
  cancel: 'cancelled',
  resume: 'the agent continues',
  retry: 'retried',
};

/** Names the result. "no objection" is used only if no hook wanted anything. */
function verdictWord({ verdict, flow, aborted }: Ruling, paint: Paint): string {
  if (aborted) return paint('red', 'aborted');
  if (verdict !== 'none') return paint(COLOUR[verdict], verdict);
  const turn = (Object.keys(TURNS) as FlowKind[]).find((one) => flow[one] !== undefined);
  return turn === undefined ? paint('dim', 'no objection') : paint('yellow', TURNS[turn]);
}

const WIDTH = 90;

export interface TimelineFire {
  readonly title: string;
  readonly outcome: Ruling;
  readonly hookOf: (id: string) => Hook | undefined;
}

export function timeline({ title, outcome, hookOf }: TimelineFire, paint: Paint): string[] {
  return [
    paint('bold', safe(title)),
    ...outcome.runs
      .filter((run) => !isUnnoticed(run, hookOf(run.hook)))
      .map((run) => `  ${runLine(run, hookOf(run.hook), paint)}`),
    ...outcome.changed.map(
      ({ by, at }) => `  ${paint('cyan', 'changed')} ${brief(at, 60)} by ${nameOf(by, hookOf)}`,
    ),
    ...outcome.said.map(
      ({ to, text }) =>
        `  ${paint('cyan', to === 'model' ? 'tells the model' : 'tells you')}: ${brief(text, WIDTH)}`,
    ),
    ...Object.entries(outcome.flow).map(
      ([turn, why]) => `  ${paint('yellow', turn)}: ${brief(why ?? '', WIDTH)}`,
    ),
    ...outcome.lost.map((text) => `  ${paint('yellow', 'lost')}: ${brief(text, WIDTH)}`),
    `  → ${verdictWord(outcome, paint)}${reasonText(outcome)}${shadowText(outcome, paint)}`,
  ];
}

/** Renders a refusal in shadow if it would have changed the verdict. */
function shadowText({ runs, verdict }: Ruling, paint: Paint): string {
  const would = wouldHave(runs);
  return would === undefined || !isStricter(would, verdict) ? '' : `; in shadow ${heldBack(would, paint)}`;
}

/** Built-in hooks are only shown if they had an effect. */
const isUnnoticed = ({ answer, skipped }: Run, hook: Hook | undefined): boolean =>
  hook !== undefined && isBuiltIn(hook) && (skipped !== undefined || answer?.effects.length === 0);

const reasonText = ({ reasons }: Ruling): string => {
  const texts = reasons.map(({ text }) => text).filter(Boolean);
  return texts.length === 0 ? '' : `: ${brief(texts.join('; '), WIDTH)}`;
};

function runLine(run: Run, hook: Hook | undefined, paint: Paint): string {
  const name = `${paint('dim', `[${hook?.dialect ?? '?'}]`)} ${brief(hook === undefined ? run.hook : label(hook), 60)}`;
  if (run.skipped !== undefined) return `${name}  ${paint('dim', brief(run.skipped, WIDTH))}`;
  const again = run.round === 2 ? paint('dim', ' (asked again about the final call)') : '';
  return `${name}  ${answerText(run, paint)}${again}`;
}

function answerText({ answer, failedOpen, ignored = [] }: Run, paint: Paint): string {
  const failed = answer?.failed === undefined ? [] : [paint('red', `broke (${answer.failed.kind})`)];
  const open = failedOpen === true ? [paint('yellow', 'let pass')] : [];
  const effects = (answer?.effects ?? []).map((effect) => effectWords(effect, ignored, paint));
  const all = [...failed, ...open, ...effects];
  return all.length === 0 ? paint('dim', 'no objection') : all.join(', ');
}

const nameOf = (id: string, hookOf: TimelineFire['hookOf']): string => {
  const hook = hookOf(id);
  return brief(hook === undefined ? id : label(hook), 60);
};
