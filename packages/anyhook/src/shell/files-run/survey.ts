import { forEachChild } from 'unbash';
import type { ParsedScript, SyntaxNode } from 'unbash';

/** What must be known of a whole text before it is walked. */
export interface ShellSurvey {
  /** How often a name is given a value: one set twice is known at no place. */
  readonly assigned: ReadonlyMap<string, number>;
  /** It defines functions or aliases: `tee` may be one, and then nothing is known by its name. */
  readonly isRenamed: boolean;
  readonly functions: ReadonlySet<string>;
  /** The first fault of the text or of a text inside it. */
  readonly error: string | undefined;
}

const SETTERS = new Set(['read', 'mapfile', 'readarray', 'printf', 'getopts', 'unset']);

export function surveyOf(script: ParsedScript): ShellSurvey {
  const assigned = new Map<string, number>();
  const bump = (name: string, by: number) => assigned.set(name, (assigned.get(name) ?? 0) + by);
  let isRenamed = false;
  const functions = new Set<string>();
  let error: string | undefined;
  const look = (node: SyntaxNode): void => {
    if (node.type === 'Assignment') bump(node.name, 1);
    else if (node.type === 'For' || node.type === 'Select') bump(node.name.text, 2);
    else if (node.type === 'Function') {
      isRenamed = true;
      functions.add(node.name.value);
    } else if (node.type === 'Command') {
      const name = node.name?.value ?? '';
      if (name === 'alias') isRenamed = true;
      // A loop would give it another value each time round.
      if (SETTERS.has(name)) for (const arg of node.args) if (arg.type === 'Word') bump(arg.value, 2);
    } else if (node.type === 'Script') error ??= (node as ParsedScript).errors?.[0]?.message;
    forEachChild(node, look);
  };
  look(script);
  return { assigned, isRenamed, functions, error };
}
