// A program of its own that answers hook callbacks by the SDK it is given: says what the CLI at the other end has measured.

import { fileURLToPath } from 'node:url';

const { query } = await import(process.argv[2]);
const options = {
  pathToClaudeCodeExecutable: fileURLToPath(new URL('callback-cli.mjs', import.meta.url)),
  executable: 'node',
  cwd: '/',
  env: { PATH: process.env.PATH, HOME: '/nowhere' },
  hooks: { PreToolUse: [{ hooks: Array.from({ length: 10 }, () => async () => ({})) }] },
};
for await (const message of query({ prompt: 'go', options }))
  if (message.type === 'result') console.log(message.result);
