// @ts-nocheck: runs in OpenCode's own process
// A plugin for the real OpenCode that starts another one with all that OpenCode hands to plugins, writes down what that
// says, and ends the agent.

import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { askHooks, startPlugins } from './plugin-answers.mjs';

const { WILD_PLUGIN, WILD_ANSWERS } = process.env;
process.on('unhandledRejection', () => {}).on('uncaughtException', () => {});

export const Asker = async (input) => {
  const exit = process.exit;
  process.exit = () => {}; // the agent has nobody to talk to, and would be done first
  const end = (said) => {
    writeFileSync(WILD_ANSWERS, JSON.stringify(said));
    exit(0);
  };
  const nothing = { ms: 0, registered: { hooks: [], tools: [], auth: [] }, answers: [] };
  const failed = (error) => end({ ...nothing, errors: [String(error?.message ?? error)] });
  try {
    const started = performance.now();
    const exports = await import(pathToFileURL(WILD_PLUGIN).href);
    const ms = performance.now() - started;
    const hooks = await startPlugins(exports, input);
    // Asked when OpenCode is ready: until then its server, which plugins ask, waits for its plugins.
    setTimeout(() => askHooks(hooks).then((said) => end({ ms, ...said }), failed), 0);
  } catch (error) {
    failed(error);
  }
  return {};
};
