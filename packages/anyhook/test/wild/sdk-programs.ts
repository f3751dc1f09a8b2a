/** Published programs on the Claude Agent SDK: with the SDK itself, and with our `query` in its place. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packageEntry } from '../../src/modules/package-entry.ts';
import { inCache, node22, sdkModule } from '../clients/packages.ts';
import { ScriptedModel } from '../clients/scripted-model.ts';
import type { Answers } from './answers.ts';
import { folderIn, here, lineOf } from './at-home.ts';
import { onGround } from './ground.ts';
import type { WildPackage } from './packages.ts';

const CLI = inCache('agent-sdk', `@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}/claude`);
const call = (command: string) => ({ tool: 'Bash', input: { command, description: 'leaves a mark' } });

/** Both on Node 22, which such programs ask for. */
export async function sdkProgram(wild: WildPackage, whose: 'ours' | 'theirs'): Promise<Answers | undefined> {
  const entry = packageEntry(folderIn(wild));
  if ('fault' in entry) return undefined;
  const model = new ScriptedModel([call('touch danger.txt'), call('touch ran.txt')]);
  const url = await model.open();
  try {
    return await onGround(async ({ project, run }) => {
      const args = [here('sdk-programs.mjs'), whose, wild.name, entry.file, sdkModule(), CLI];
      const end = await run(node22(), args, { env: quiet(url) });
      const said = lineOf(end);
      const marks = ['danger.txt', 'ran.txt'].filter((name) => existsSync(join(project, name)));
      return said && { ...said, answers: [...said.answers, { marks }] };
    });
  } finally {
    model.close();
  }
}

/** A dummy key, no telemetry, no updates; it may run as root. */
const quiet = (url: string): Record<string, string> => ({
  ANTHROPIC_API_KEY: 'sk-dummy',
  ANTHROPIC_BASE_URL: url,
  IS_SANDBOX: '1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_TELEMETRY: '1',
  DISABLE_ERROR_REPORTING: '1',
  DISABLE_AUTOUPDATER: '1',
});
