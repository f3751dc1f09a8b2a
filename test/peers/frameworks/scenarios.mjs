/**
 * What hooks can answer about tool calls. Every adapter runs all of it with a scripted model; each program gives
 * `runScenarios` one function that runs an agent of its framework.
 */
import { allow, ask, context, createHooks, deny, set } from 'anyhook';

const read = (path) => ({ path });
const onlyEnv =
  (answer) =>
  ({ payload }) =>
    payload.input.path === '.env' ? answer : undefined;
const asking = { 'tool.before': () => ask('it is private') };

const scenarios = () => ({
  yes: { calls: [read('notes.txt')], hooks: { 'tool.before': () => allow() } },
  no: { calls: [read('.env')], hooks: { 'tool.before': () => deny('not that file') } },
  rewrite: { calls: [read('.env')], hooks: { 'tool.before': () => set('input', 'path', 'public.txt') } },
  result: {
    calls: [read('notes.txt')],
    hooks: { 'tool.after': () => set('content', [{ type: 'text', text: 'the key is •••' }]) },
  },
  context: { calls: [read('notes.txt')], hooks: { 'tool.after': () => context('the disk is full') } },
  parallel: {
    calls: [read('a.txt'), read('.env'), read('b.txt')],
    hooks: { 'tool.before': onlyEnv(deny('not that file')) },
  },
  'broken hook': {
    calls: [read('notes.txt')],
    hooks: {
      'tool.before': {
        onFailure: 'block',
        run: () => {
          throw new Error('the guard crashed');
        },
      },
    },
  },
  'failing tool': {
    calls: [read('missing.txt')],
    hooks: { 'tool.failed': () => set('error', 'no such file, see the index') },
  },
  approved: { calls: [read('.env')], hooks: asking, answer: true },
  'not approved': { calls: [read('.env')], hooks: asking, answer: false },
  'nobody to ask': { calls: [read('.env')], hooks: asking },
  'approved, then refused': {
    calls: [read('.env')],
    answer: true,
    hooks: { 'tool.before': once(ask('it is private'), deny('too late')) },
  },
  'approved, then changed': {
    calls: [read('.env')],
    answer: true,
    hooks: {
      'tool.before': [() => ask('it is private'), once(undefined, set('input', 'path', 'secrets.txt'))],
    },
  },
});
/** Answers the first call in one way and later ones in another. */
function once(first, later) {
  let calls = 0;
  return () => (calls++ === 0 ? first : later);
}

/**
 * `runAgent(hooks, calls, answer, readFile)` resolves with the tool results that the model read, and with the number of
 * questions that the framework put to the user.
 */
export async function runScenarios(can, runAgent, modes = ['complete']) {
  const results = {};
  const onlyThis = process.argv[2] || undefined;
  for (const mode of modes)
    for (const [name, { calls, hooks: callbacks, answer }] of Object.entries(scenarios())) {
      if (onlyThis !== undefined && name !== onlyThis) continue;
      const hooks = await createHooks({
        host: { name: 'peer', can },
        settings: false,
        journal: false,
        hooks: callbacks,
      });
      const ran = [];
      const readFile = (path) => {
        ran.push(path);
        if (path === 'missing.txt') throw new Error(`ENOENT ${path}`);
        return `text of ${path}`;
      };
      const seen = await runAgent({ hooks, calls, answer, readFile, mode }).catch((error) => ({
        threw: String(error?.stack ?? error),
      }));
      results[`${name}, ${mode}`] = { ran: ran.toSorted(), ...seen };
      await hooks.close();
    }
  process.stdout.write(`${JSON.stringify(results)}\n`);
  process.exit(0); // Some frameworks keep timers.
}

/** Runs an example of `examples/frameworks` with a hook file in the home folder, as a user has it. */
export async function runExample(answer, model, toolThat) {
  const ran = [];
  const read = toolThat((path) => {
    ran.push(path);
    return `text of ${path}`;
  });
  const text = await answer(model, read, 'go');
  process.stdout.write(`${JSON.stringify({ ran, text })}\n`);
  process.exit(0);
}
export const EXAMPLE_CALLS = [read('notes.txt'), read('.env')];
