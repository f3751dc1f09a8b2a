#!/usr/bin/env node
/** `anyhook-agent`: reads the command line, opens the agent, and shows it on a terminal or as lines for a program. */
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { readArgs } from './args.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
const asked = readArgs(process.argv.slice(2), version);
// A wrong word on the command line is answered before a model's library is loaded.
process.exitCode =
  asked.kind === 'login'
    ? await (await import('./run-login.ts')).runLogin(asked.login, homedir())
    : await (await import('./run-agent.ts')).runAgent(asked.args, homedir());
