#!/usr/bin/env node
/** `npm start`: a sample session through the engine, offline, in a home and a project of its own. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createHooks } from 'anyhook';
import { paintFor, timeline } from 'anyhook/views';
import { layGround } from './demo/ground.ts';
import { STORY } from './demo/story.ts';

const paint = paintFor(process.stdout, process.env);
const ground = layGround();
try {
  await play();
} finally {
  ground.remove();
}

async function play(): Promise<void> {
  const { home, cwd } = ground;
  const options = { host: { name: 'anyhook-demo', can: 'everything' }, home, cwd } as const;
  console.log(paint('bold', 'anyhook: any hook, in any agent\n'));
  console.log(`A sample project, in a temporary folder, with hooks written for Opta and in our own dialect.`);

  const untrusted = await createHooks(options);
  const waiting = untrusted.examined.filter(({ judgement }) => judgement.state !== 'trusted');
  await untrusted.close();
  console.log(`Nothing of a project runs before you trust it. This demo trusts its sample by named hash:`);
  for (const { judgement, hook, file } of waiting)
    console.log(
      paint(
        'dim',
        `  ${judgement.hash.slice(0, 23)}…  ${hook?.id.split('/').at(-1) ?? file.split('/').at(-1)}`,
      ),
    );
  console.log();

  const hooks = await createHooks({
    ...options,
    trust: { hashes: waiting.map(({ judgement }) => judgement.hash) },
  });
  for (const problem of hooks.problems) console.log(paint('red', `${problem.file}: ${problem.message}`));
  for (const { title, moment } of STORY) {
    const outcome = await hooks.fire(moment);
    const hookOf = (id: string) => hooks.hooks.find((hook) => hook.id === id);
    console.log(timeline({ title, outcome, hookOf }, paint).join('\n'));
    if (outcome.changed.length > 0)
      console.log(paint('dim', `  now: ${JSON.stringify(finalOf(outcome.payload))}`));
    console.log();
  }
  await hooks.close();
  await ended(join(cwd, 'session-ended'));
  const journal = readFileSync(join(home, '.local/state/anyhook/journal/demo.jsonl'), 'utf8')
    .trim()
    .split('\n');
  console.log(
    `Every fire left one record: ${journal.length} lines in the journal, hash-chained, secrets taken out.`,
  );
  console.log(`The temporary home and project are removed now; nothing is left behind.\n`);
  console.log(paint('bold', 'Try next'));
  console.log(
    '  npx anyhook list                                   what hooks are there, and who trusts them',
  );
  console.log(`  npx anyhook why tool.before --tool Bash --input '{"command":"ls"}'`);
  console.log('  docs/index.md                                      how to embed it in your own agent');
}

function finalOf(payload: Readonly<Record<string, unknown>>): unknown {
  return payload['content'] ?? payload['input'];
}

/** The background hook of the session's end is not waited for by anybody; the demo waits before it cleans up. */
async function ended(file: string): Promise<void> {
  for (let i = 0; i < 100 && !existsSync(file); i++) await sleep(50);
}
