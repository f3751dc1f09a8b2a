/** Finds the agents in which a recipe works, from their tables. `test/recipes` runs each through every bridge. */

import { AGENTS } from '../agents/index.ts';
import type { Agent } from '../agents/shared/agent.ts';
import type { Grades } from '../events/capabilities.ts';
import type { EffectKind } from '../events/effects.ts';
import type { EventName } from '../events/events.ts';

/** One of these events must fire there, and the effect it needs, if any, must be supported. */
interface Need {
  readonly on: readonly EventName[];
  readonly effect?: EffectKind;
}
const NEEDS: Readonly<Record<string, Need>> = {
  audit: { on: ['tool.before'] },
  budget: { on: ['tool.before'], effect: 'ask' },
  'commit-at-end': { on: ['session.end'] },
  'destructive-commands': { on: ['tool.before'], effect: 'deny' },
  'format-after-edit': { on: ['tool.after'] },
  'git-context': { on: ['session.start'], effect: 'context' },
  'git-history': { on: ['tool.before'], effect: 'deny' },
  notify: { on: ['turn.stop', 'agent.idle'] },
  'protected-paths': { on: ['tool.before'], effect: 'ask' },
  'redact-output': { on: ['tool.after'], effect: 'set' },
  'secrets-in-files': { on: ['tool.before'], effect: 'deny' },
  'secrets-in-prompts': { on: ['prompt.submit'], effect: 'deny' },
  'tests-before-stop': { on: ['turn.stop'], effect: 'resume' },
};

/** `refuses`: the recipe asks the user, the agent cannot, so the call is refused. */
export type RecipeStanding = 'works' | 'refuses' | 'no';

export function recipeIn(name: string, { can }: Agent): RecipeStanding {
  const { on, effect } = NEEDS[name]!;
  const grades = on.map((event): Grades | undefined => can[event]).filter((one) => one !== undefined);
  if (grades.length === 0) return 'no';
  if (effect === undefined || grades.some((one) => one[effect] === 'full')) return 'works';
  return grades.some((one) => isRefusal(one[effect])) ? 'refuses' : 'no';
}
const isRefusal = (grade: Grades[EffectKind]): boolean =>
  typeof grade === 'object' && 'as' in grade && grade.as === 'deny';

export interface RecipeAgents {
  /** Number of agents with a bridge. */
  readonly of: number;
  readonly works: readonly string[];
  readonly refuses: readonly string[];
  readonly no: readonly string[];
}
/** By display name. */
export function recipeAgents(name: string): RecipeAgents {
  const all = Object.values(AGENTS);
  const those = (standing: RecipeStanding) =>
    all.filter((agent) => recipeIn(name, agent) === standing).map(({ shown }) => shown);
  return { of: all.length, works: those('works'), refuses: those('refuses'), no: those('no') };
}

/** The number of agents, and their names or those of the others, whichever is shorter. */
export function agentsLine({ of, works, refuses, no }: RecipeAgents): string {
  const does = [...works, ...refuses];
  const which = no.length < does.length ? `not in ${no.join(', ')}` : does.join(', ');
  const where = no.length === 0 ? `all ${of} agents` : `${does.length} of ${of} agents (${which})`;
  if (refuses.length === 0) return `Works in ${where}.`;
  return `Works in ${where}; asks in ${works.join(', ')}, refuses in the others.`;
}
