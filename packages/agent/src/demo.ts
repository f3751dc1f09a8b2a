#!/usr/bin/env node
/** `npm start`: runs the agent offline in a temporary home and project. */

import { paintFor } from 'anyhook/views';
import { makeDemoFolders } from './demo/folders.ts';
import { play } from './demo/play.ts';
import { showView } from './demo/show-view.ts';

const paint = paintFor(process.stdout, process.env);
const print = (line: string): void => console.log(line);
const ground = makeDemoFolders();
process.stdout.on('error', () => {}); // Clean up even if the reader closes the pipe early (`| head`).
const isViewed = process.argv.slice(2).includes('--view');
const stop = (code: number) => () => {
  ground.remove();
  process.exit(code);
};
const stops = [['SIGINT', stop(130)] as const, ['SIGTERM', stop(143)] as const];
for (const [signal, end] of stops) process.once(signal, end);
try {
  const session = await play(ground, { print, paint });
  if (isViewed) {
    for (const [signal, end] of stops) process.off(signal, end);
    await showView(ground, session, { print, paint });
  }
} finally {
  ground.remove();
}
if (!isViewed)
  print(`
Each indented name is the format of a hook. anyhook merged the answers.
The temporary home and project are gone, nothing is left behind.

${paint('bold', 'Try next')}
  npm start -- --view                                   this, in the browser
  npx anyhook list --cwd packages/agent/sample/project  the hooks of this sample
  npx anyhook list                                      those of this folder
  npx anyhook why tool.before --tool Bash --input '{"command":"ls"}'
  npx anyhook init guard.ts                             a hook of your own
  npx anyhook-agent --help                              the agent, a real model
  examples/embed                                        your agent, in ten lines`);
