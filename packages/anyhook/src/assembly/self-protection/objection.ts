/** What is wrong with a call. `refused`: it would change what is guarded. `doubtful`: it may, and nobody can tell. */
export interface Objection {
  readonly kind: 'refused' | 'doubtful';
  readonly what: string;
}

export const refusal = (what: string): Objection => ({ kind: 'refused', what });
export const doubt = (what: string): Objection => ({ kind: 'doubtful', what });
