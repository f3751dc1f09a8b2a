#!/usr/bin/env node
/** Entry point of `anyhook-agent`: parses the command line, opens the agent, and shows it in a terminal or as lines. */

import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { readArgs } from './args.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
const asked = readArgs(process.argv.slice(2), version);
// Report usage errors before loading the model library.
process.exitCode =
  asked.kind === 'login'
    ? await (await import('./run-login.ts')).runLogin(asked.login, homedir())
    : await (await import('./run-agent.ts')).runAgent(asked.args, homedir());
