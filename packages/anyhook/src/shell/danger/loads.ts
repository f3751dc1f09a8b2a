/**
 * Commands that only load secrets into their own environment, without showing them: `export $(grep -v '^#' .env | xargs)`,
 * `env $(cat .env) npm test`, `URL=$(grep ^URL= .env | cut -d= -f2) npm run migrate`. `source .env` does the same.
 */

import type { ShellAct } from '../act.ts';
import type { ShellAnalysis } from '../analyse.ts';

/** Returns a test for acts that only load values into variables. */
export function makeLoads({ acts, settings }: ShellAnalysis, line: string): (inner: ShellAct) => boolean {
  if (acts.some(showsVariables)) return () => false;
  const loads = [
    ...acts.flatMap(loadedBy),
    ...settings.flatMap(({ name, value }) =>
      isSubstitution(value.text) && !isUsed(name, line) ? [value.text] : [],
    ),
  ].filter((text) => !WRITES.test(text.replaceAll(QUIET, '')));
  const parts = (text: string) => acts.filter((act) => text.includes(act.text));
  const quiet = loads.filter((text) => parts(text).every(onlyFilters));
  return (inner) => quiet.some((text) => text.includes(inner.text));
}

const LOADERS = new Set('export declare typeset local readonly env set eval'.split(' '));
/** The arguments that are substitutions. After another argument, `env` runs a program. */
function loadedBy({ program: name, words }: ShellAct): string[] {
  if (!LOADERS.has(name)) return [];
  const args = words.slice(1).map(({ text }) => text);
  const program = name === 'env' ? args.findIndex((arg) => !/^-|=/.test(arg) && !isSubstitution(arg)) : -1;
  return (program === -1 ? args : args.slice(0, program)).filter(isSubstitution);
}

const isSubstitution = (text: string): boolean => /^"?(?:\$\(|`)/.test(text);
const isUsed = (name: string, line: string): boolean => new RegExp(`\\$\\{?${name}\\b`).test(line);

/** The act prints variables. */
function showsVariables({ program: name, args }: ShellAct): boolean {
  return (
    name === 'printenv' ||
    (/^(?:env|set|export|declare|typeset)$/.test(name) && args.every((arg) => /^(?:-[p0]|--null)$/.test(arg)))
  );
}

const FILTERS = new Set(
  'cat grep egrep fgrep rg sed awk cut tr head tail sort uniq echo printf xargs'.split(' '),
);
function onlyFilters({ program: name, args }: ShellAct): boolean {
  if (name === 'xargs') return args.every((arg) => /^-|^\\?n$|^\d+$|^echo$/.test(arg));
  return FILTERS.has(name);
}

const QUIET = /2>\s*(?:\/dev\/null|&1)/g;
const WRITES = />|\/dev\/(?:std|tty|tcp|fd)|\btee\b/;
