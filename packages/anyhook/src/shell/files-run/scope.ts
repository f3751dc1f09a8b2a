/** What is known at one point of a shell text, as commands move it. */
import { forEachChild, type SyntaxNode } from 'unbash';
import type { ReadLanguage } from '../references/language.ts';
import type { CommandRoles } from './word-role.ts';
import { under, type ShellScope, type Value } from './value.ts';

export const apart = (scope: ShellScope): ShellScope => ({ ...scope, vars: new Map(scope.vars) });

/** Where the rest of `env -C folder command` is read. */
export function movedTo(
  scope: ShellScope,
  values: readonly (Value | undefined)[],
  { moved }: CommandRoles,
): ShellScope {
  if (moved === undefined) return scope;
  const word = values[moved.word];
  const to = word === undefined ? undefined : { ...word, text: word.text.slice(moved.skip) };
  return { ...scope, here: to === undefined ? undefined : under(scope.here, to) };
}

export function moveTo(scope: ShellScope, values: readonly (Value | undefined)[]): void {
  const [target, more] = values.slice(1).filter((v) => v === undefined || !/^-[LPe-]$/.test(v.text));
  const home = scope.vars.get('HOME');
  const to = values.length === 1 ? home : target?.text === '-' ? undefined : target;
  scope.here = to === undefined || more !== undefined ? undefined : under(scope.here, to);
}

export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  forEachChild(node, (child) => void children.push(child));
  return children;
}

export interface Pipe {
  /** Its input is what the command before it prints. */
  readonly isFed?: boolean;
  /** What it prints is run, in this language. */
  readonly feeds?: ReadLanguage;
}
