/** Visits every state that a model can reach, in order of distance, and returns the first one that breaks a rule. */

/** The steps that are possible in a state: what happens, and the state after it. */
export type Steps<State> = Iterable<readonly [step: string, next: State]>;
export interface Model<State> {
  readonly start: State;
  readonly steps: (state: State) => Steps<State>;
  /** Returns the rule that this state breaks. `isFinal`: nothing more can happen. */
  readonly broken: (state: State, isFinal: boolean) => string | undefined;
}
export interface Exploration {
  readonly states: number;
  readonly violation?: { readonly rule: string; readonly steps: readonly string[] };
}

export function explore<State>({ start, steps, broken }: Model<State>): Exploration {
  const keys = new Map([[JSON.stringify(start), 0]]);
  /** How each state was reached: the state before and the step, for the report. */
  const origins: (readonly [from: number, step: string])[] = [[-1, '']];
  let layer: (readonly [number, State])[] = [[0, start]];
  while (layer.length > 0) {
    const next: (readonly [number, State])[] = [];
    for (const [at, state] of layer) {
      let isFinal = true;
      for (const [step, reached] of steps(state)) {
        isFinal = false;
        const key = JSON.stringify(reached);
        if (keys.has(key)) continue;
        keys.set(key, origins.length);
        next.push([origins.length, reached]);
        origins.push([at, step]);
      }
      const rule = broken(state, isFinal);
      if (rule !== undefined) return { states: origins.length, violation: { rule, steps: pathTo(at) } };
    }
    layer = next;
  }
  return { states: origins.length };

  function pathTo(state: number): string[] {
    const [from, step] = origins[state] ?? [-1, ''];
    return from === -1 ? [] : [...pathTo(from), step];
  }
}
