/**
 * Keeps inline code in the user's own commands (`-c`, `-e`, `-m`) from loading modules of the project. Such
 * code runs in the project folder and would search there first. Nothing else about the command changes.
 */

import { relative, sep } from 'node:path';
import type { Hook, WayOf } from '../events/hook.ts';
import { commandOf } from '../events/hook.ts';
import { commandText } from '../shell/files-run/command-text.ts';
import type { Visitor } from '../shell/files-run/visitor.ts';
import { doubtsIn } from '../shell/references/doubts.ts';
import { javascriptRefs, specifiersIn } from '../shell/references/javascript.ts';
import type { ReadLanguage } from '../shell/references/language.ts';
import { isInside, physical } from './inside.ts';

interface Place {
  readonly cwd: string;
  readonly home: string;
}

export function withOwnModules(hook: Hook, place: Place): Hook {
  const { run } = hook;
  if (run.kind !== 'command') return hook;
  const { run: safe } = read(run, place, {});
  return same(run.run, safe) ? hook : { ...hook, written: commandOf(hook) ?? '', run: { ...run, run: safe } };
}

/**
 * Returns why inline code of a user's own hook may still load modules of the project, or undefined if it
 * cannot.
 */
export function loadsFromProject({ run, origin }: Hook, place: Place): string | undefined {
  if (run.kind !== 'command' || origin.layer === 'project') return undefined;
  const reasons: string[] = [];
  read(run, place, { inline: (code, language) => reasons.push(...reachesProject(code, language)) });
  return reasons[0];
}

function read(run: WayOf<'command'>, { cwd, home }: Place, more: Partial<Visitor>) {
  const folder = run.cwd ?? cwd;
  const roots = [...new Set([cwd, physical(cwd)])].map((root) => `'${root.replaceAll(/[\\']/g, '\\$&')}/'`);
  const isProjects = roots.map((root) => `(p+'/').startsWith(${root})`).join('||');
  return commandText(
    run.run,
    { cwd: folder, vars: { HOME: home, PWD: folder, ...run.set } },
    {
      word: () => undefined,
      pythonPath: (here) => (isElsewhere(here, folder, home) ? [here] : []),
      javascriptHead: `typeof module=='object'&&(module.paths=module.paths.filter(p=>!(${isProjects})));`,
      ...more,
    },
  );
}

/** A folder below the home folder that shares no folder below it with the working folder, and so no repository either. */
function isElsewhere(here: string, folder: string, home: string): boolean {
  const [base, own, working] = [physical(home), physical(here), physical(folder)];
  if (own === base || !isInside(base, own) || isInside(working, own)) return false;
  return relative(base, own).split(sep)[0] !== relative(base, working).split(sep)[0];
}

const same = (a: WayOf<'command'>['run'], b: WayOf<'command'>['run']): boolean =>
  'line' in a ? 'line' in b && a.line === b.line : 'argv' in b && a.argv.join('\0') === b.argv.join('\0');

function reachesProject(code: string, language: ReadLanguage): string[] {
  if (language === 'python')
    return /\b__future__\b/.test(code) ? ['a __future__ import must come first'] : [];
  if (language === 'shell' || language === 'awk' || language === 'sed') return [];
  if (language !== 'javascript') return doubtsIn(code, language === 'exec' ? 'other' : language);
  const near = specifiersIn(code).find(({ specifier }) => /^\.\.?(?:\/|$)/.test(specifier));
  if (near !== undefined) return [`${near.specifier} is a file in the working folder`];
  const isModule = /\bimport\b/.test(code);
  return isModule ? javascriptRefs(code).doubts.filter((doubt) => doubt.startsWith('the package')) : [];
}
