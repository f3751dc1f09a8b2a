/** Finds matchers that match nothing, something unintended, or more than intended. */

import type { Hook } from '../../events/hook.ts';
import { compilePattern } from '../../events/pattern.ts';
import { isAboutTools, isPattern, matcherDoubts } from '../../library/idle-hooks.ts';
import type { DoctorFinding } from '../look/finding.ts';
import type { Lint } from './lint.ts';

export const matchers: Lint = ({ hooks, tools }) =>
  hooks.flatMap((hook) => [
    ...matcherDoubts(hook, tools).map(({ said }) => ({ ...said, ...about(hook) })),
    ...(isAboutTools(hook) ? loose(hook, tools.of(hook.dialect)) : []),
    ...notLinear(hook),
  ]);

const about = (hook: Hook): Pick<DoctorFinding, 'file' | 'line' | 'hook'> => ({
  file: hook.origin.file,
  line: hook.origin.line,
  hook: hook.id,
});

/** It matches whole names, but also names that only contain one, which is hardly intended. */
function loose(hook: Hook, own: ReadonlySet<string>): DoctorFinding[] {
  if (hook.match.kind !== 'pattern' || !isPattern(hook)) return [];
  const { source, test } = hook.match;
  const whole = wholly(source);
  if (whole === undefined) return [];
  const meant = [...own].filter(whole);
  const more = [...own].filter((name) => test(name) && !whole(name));
  if (meant.length === 0 || more.length === 0) return [];
  const fixed = hook.dialect === 'anyhook' ? `/^(?:${source})$/` : `^(?:${source})$`;
  return [
    {
      code: 'unanchored',
      severity: 'warning',
      ...about(hook),
      what: `${JSON.stringify(hook.matcher ?? source)} fits ${meant.slice(0, 3).join(', ')} and also ${more.slice(0, 5).join(', ')}.`,
      why: 'The pattern is not anchored, so it may match anywhere in a name.',
      remedy: `Write ${JSON.stringify(fixed)}, or name the others too.`,
    },
  ];
}

function wholly(source: string): ((name: string) => boolean) | undefined {
  try {
    return compilePattern(`^(?:${source})$`).test;
  } catch {
    return undefined; // the pattern fits the limit, but not with the added frame
  }
}

function notLinear(hook: Hook): DoctorFinding[] {
  const { match, dialect } = hook;
  // Our own reader reports this itself.
  if (match.kind !== 'pattern' || dialect === 'anyhook' || !isLimited(match.source)) return [];
  return [
    {
      code: 'pattern-not-linear',
      severity: 'warning',
      ...about(hook),
      what: `The pattern ${JSON.stringify(match.source)} has no form that runs in linear time.`,
      why: 'It is stopped after 50 ms and then counts as a match.',
      remedy: 'Write it without look-around and back-references.',
    },
  ];
}
function isLimited(source: string): boolean {
  try {
    return compilePattern(source).engine === 'limited';
  } catch {
    return false;
  }
}
