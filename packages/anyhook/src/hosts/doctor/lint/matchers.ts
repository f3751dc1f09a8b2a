/** Matchers that fit nothing, not what was meant, or more than was meant. */
import type { Hook } from '../../../canon/hook.ts';
import { rowOf } from '../../../canon/events.ts';
import { compilePattern } from '../../../canon/pattern.ts';
import { nearest } from '../../../canon/problems.ts';
import { sampleEventOf } from '../../menu/sample.ts';
import type { DoctorFinding } from '../look/finding.ts';
import type { Inspection } from '../look/inspection.ts';
import type { Lint } from './lint.ts';

export const matchers: Lint = (looked) =>
  looked.hooks.flatMap((hook) => [
    ...(isAboutTools(hook) ? aboutTools(hook, looked) : []),
    ...notLinear(hook),
  ]);

function isAboutTools(hook: Hook): boolean {
  const name = sampleEventOf(hook);
  return name !== undefined && rowOf(name).subject === 'tool';
}

const about = (hook: Hook): Pick<DoctorFinding, 'file' | 'line' | 'hook'> => ({
  file: hook.origin.file,
  line: hook.origin.line,
  hook: hook.id,
});

function aboutTools(hook: Hook, looked: Inspection): DoctorFinding[] {
  const { match, dialect } = hook;
  const [own, all] = [looked.tools.of(dialect), looked.tools.all];
  if (match.kind === 'names') return match.names.flatMap((name) => named(name, hook, own, all));
  if (match.kind === 'any' || !isPattern(hook)) return [];
  return [...dead(hook, match, all), ...loose(hook, match, own)];
}

/** In our own files `Edit*` is a wildcard; only what stands between slashes is a pattern. */
const isPattern = ({ dialect, matcher = '' }: Hook): boolean =>
  dialect !== 'anyhook' || matcher.startsWith('/');

function named(
  name: string,
  hook: Hook,
  own: ReadonlySet<string>,
  all: ReadonlySet<string>,
): DoctorFinding[] {
  if (own.has(name) || name.includes('__')) return []; // tools of servers go by any name
  const said = JSON.stringify(name);
  const inOther = inAnyCase(name, own);
  if (inOther !== undefined)
    return [
      {
        code: 'wrong-case',
        severity: 'error',
        ...about(hook),
        what: `${said} is spelt ${JSON.stringify(inOther)} in ${hook.dialect === 'anyhook' ? 'every agent that has it' : hook.dialect}.`,
        why: 'Names are compared letter by letter: there the hook never runs.',
        remedy: `Write ${JSON.stringify(inOther)}.`,
      },
    ];
  if (all.has(name)) return [];
  const near = inAnyCase(name, all) ?? nearest(name, all);
  return [
    {
      code: 'dead-matcher',
      severity: 'warning',
      ...about(hook),
      what: `No agent that we know has a tool called ${said}.`,
      why: 'The hook runs only if there is such a tool after all.',
      remedy: near === undefined ? 'Check the name.' : `Did you mean ${JSON.stringify(near)}?`,
    },
  ];
}

type Pattern = Extract<Hook['match'], { kind: 'pattern' }>;

function dead(hook: Hook, { source, test }: Pattern, all: ReadonlySet<string>): DoctorFinding[] {
  if ([...all, 'mcp__server__tool'].some(test) || /mcp|__/.test(source)) return [];
  const meant = foldedFit(source, all);
  const what = `The pattern ${JSON.stringify(hook.matcher ?? source)} fits no tool of any agent that we know.`;
  if (meant === undefined)
    return [
      {
        code: 'dead-matcher',
        severity: 'warning',
        ...about(hook),
        what,
        remedy: 'Check it with: anyhook why tool.before --tool <name>',
      },
    ];
  const why = 'Patterns are compared letter by letter: the hook never runs.';
  return [
    {
      code: 'wrong-case',
      severity: 'error',
      ...about(hook),
      what,
      why,
      remedy: `Did you mean ${JSON.stringify(meant)}?`,
    },
  ];
}

/** Escapes such as `\W` mean something else in small letters. */
function foldedFit(source: string, names: ReadonlySet<string>): string | undefined {
  if (/\\[A-Z]/.test(source)) return undefined;
  const { test } = compilePattern(source.toLowerCase());
  return [...names].find((name) => test(name.toLowerCase()));
}

/** Whole names fit it, and so do names that only hold one of them: those were hardly meant. */
function loose(hook: Hook, { source, test }: Pattern, own: ReadonlySet<string>): DoctorFinding[] {
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
      why: 'The pattern may begin and end anywhere in a name.',
      remedy: `Write ${JSON.stringify(fixed)}, or name the others too.`,
    },
  ];
}

function wholly(source: string): ((name: string) => boolean) | undefined {
  try {
    return compilePattern(`^(?:${source})$`).test;
  } catch {
    return undefined; // just too long with its frame
  }
}

function notLinear(hook: Hook): DoctorFinding[] {
  const { match, dialect } = hook;
  // Our own reader says so itself.
  if (match.kind !== 'pattern' || dialect === 'anyhook' || !isLimited(match.source)) return [];
  return [
    {
      code: 'pattern-not-linear',
      severity: 'warning',
      ...about(hook),
      what: `The pattern ${JSON.stringify(match.source)} has no form that runs in linear time.`,
      why: 'It is cut off after 50 ms, and counts as a match then.',
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

const inAnyCase = (name: string, names: ReadonlySet<string>): string | undefined =>
  [...names].find((known) => known.toLowerCase() === name.toLowerCase());
