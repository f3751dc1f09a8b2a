/** What is wrong with a call. `refused`: it would change what is guarded. `doubtful`: it may, and nobody can tell. */
export interface Objection {
  readonly kind: 'refused' | 'doubtful';
  readonly reason: string;
}

const FOR_A_PERSON = 'hooks, their settings, trust and journal are for a person to change, not for the agent';

export const refusal = (what: string): Objection => ({
  kind: 'refused',
  reason: `${FOR_A_PERSON}: ${what}`,
});
export const doubt = (what: string): Objection => ({
  kind: 'doubtful',
  reason: `${FOR_A_PERSON}, and this may: ${what}`,
});
/** It is about far more than what is guarded, and takes that along. */
export const sweep = (what: string, along: string): Objection => ({
  kind: 'refused',
  reason: `it ${what}, and with it ${along}: ${FOR_A_PERSON}`,
});
