// What an engineer would write without us: calls every function in turn, with the same outcome. Each gets a copy of the event that
// nobody can write to, has a deadline, is timed and recorded, and its answer counts.

/** @param {unknown} value */
function frozenCopy(value) {
  if (typeof value !== 'object' || value === null) return value;
  const copy = Array.isArray(value)
    ? value.map(frozenCopy)
    : Object.fromEntries(Object.entries(value).map(([key, item]) => [key, frozenCopy(item)]));
  return Object.freeze(copy);
}

/** @param {number} ms @param {Promise<unknown>} answer */
function before(ms, answer) {
  let timer;
  const late = new Promise((_, reject) => (timer = setTimeout(() => reject(new Error('timed out')), ms)));
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

/** @param {readonly { id: string, run: (event: object) => unknown }[]} hooks @param {{ name: string, payload: object }} input */
export async function plainLoop(hooks, { name, payload }) {
  const event = frozenCopy({ name, payload, ids: { session: 's' }, scene: { cwd: '/' } });
  const runs = [];
  const [reasons, said] = [[], []];
  for (const { id, run } of hooks) {
    const startedMs = performance.now();
    try {
      const answer = run(event);
      const value = answer instanceof Promise ? await before(30_000, answer) : await answer;
      const effects = value === undefined ? [] : [value].flat();
      for (const effect of effects) {
        if (effect.kind === 'deny') reasons.push({ by: id, text: effect.reason });
        else if (effect.kind === 'context') said.push({ by: id, text: effect.text });
      }
      runs.push({ hook: id, ms: performance.now() - startedMs, effects });
    } catch (error) {
      reasons.push({ by: id, text: `hook ${id} failed: ${String(error)}` });
      runs.push({ hook: id, ms: performance.now() - startedMs, failed: String(error) });
    }
    if (reasons.length > 0) break;
  }
  return {
    proceed: reasons.length > 0 ? 'no' : 'yes',
    reason: reasons.map(({ text }) => text).join('\n'),
    payload,
    reasons,
    said,
    runs,
  };
}
