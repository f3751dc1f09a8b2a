#!/usr/bin/env node
/** `npm start`: the agent at work, offline, in a home and a project of its own. */
import { paintFor } from 'anyhook/views';
import { makeDemoFolders } from './demo/folders.ts';
import { play } from './demo/play.ts';

const paint = paintFor(process.stdout, process.env);
const print = (line: string): void => console.log(line);
const ground = makeDemoFolders();
process.stdout.on('error', () => {}); // a reader that has seen enough (`| head`) is no reason to leave things behind
for (const [signal, code] of [['SIGINT', 130] as const, ['SIGTERM', 143] as const])
  process.once(signal, () => {
    ground.remove();
    process.exit(code);
  });
try {
  await play(ground, { print, paint });
} finally {
  ground.remove();
}
print(`
Each indented name is a dialect whose hook spoke; anyhook composed the answers.
The temporary home and project are gone, nothing is left behind.

${paint('bold', 'Try next')}
  npx anyhook list --cwd packages/agent/sample/project  the hooks of this sample
  npx anyhook list                                      those of this folder
  npx anyhook why tool.before --tool Bash --input '{"command":"ls"}'
  npx anyhook init guard.ts                             a hook of your own
  npx anyhook-agent --help                              the agent, a real model
  examples/embed                                        your agent, in ten lines`);
