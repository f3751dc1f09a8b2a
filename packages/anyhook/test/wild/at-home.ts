/** One package where it is at home: in the real agent, or as that agent would start it. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { AGENTS } from '../../src/agents/index.ts';
import { extensionEntries } from '../../src/modules/extension-entries.ts';
import { packageEntry } from '../../src/modules/package-entry.ts';
import { bun, inCache, installed, node22 } from '../clients/packages.ts';
import type { Answers } from './answers.ts';
import { onGround, type ProgramEnd } from './ground.ts';
import { PI_LIBRARY } from './install.ts';
import { folderOf, type WildPackage } from './packages.ts';

export const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
export const folderIn = (wild: WildPackage): string => inCache(folderOf(wild), wild.name);

/** Whom the answers are compared with. */
export const oracleOf = ({ kind }: WildPackage): string =>
  ({
    opencode: `OpenCode ${AGENTS.opencode.seen[0]!.version}`,
    pi: `pi ${PI_LIBRARY}`,
    'oh-my-pi': `oh-my-pi ${AGENTS['oh-my-pi'].seen[0]!.version}`,
    'claude-code': 'the hook itself',
    'agent-sdk': 'the SDK itself',
  })[kind];

const AT_HOME = here('at-home.mjs');

/** In OpenCode's own process, with what it hands to its plugins. */
export async function inOpenCode(wild: WildPackage): Promise<Answers | undefined> {
  const entry = packageEntry(folderIn(wild));
  if ('fault' in entry) return undefined;
  const { args, env } = await AGENTS.opencode.headless!();
  const program = await installed('opencode');
  return await onGround(async ({ project, run }) => {
    const answers = join(project, '..', 'answers.json');
    const given = env('http://127.0.0.1:9');
    const settings = JSON.parse(given['OPENCODE_CONFIG_CONTENT']!) as object;
    const plugin = [pathToFileURL(here('in-opencode.mjs')).href];
    await run(program, args('hello', ''), {
      env: {
        ...given,
        OPENCODE_CONFIG_CONTENT: JSON.stringify({ ...settings, plugin }),
        WILD_PLUGIN: entry.file,
        WILD_ANSWERS: answers,
      },
    });
    return existsSync(answers) ? (JSON.parse(readFileSync(answers, 'utf8')) as Answers) : undefined;
  }, wild.files);
}

/** By pi's own loader; of oh-my-pi on Bun, as it runs there. */
export async function inPi(wild: WildPackage): Promise<Answers | undefined> {
  const entries = extensionEntries(folderIn(wild));
  const [runtime, agent] =
    wild.kind === 'pi'
      ? [node22(), inCache('pi-library', '@earendil-works/pi-coding-agent/dist/index.js')]
      : [bun(), inCache('oh-my-pi', '@oh-my-pi/pi-coding-agent/src/extensibility/extensions/index.ts')];
  return lineOf(await onGround(({ run }) => run(runtime, [AT_HOME, 'pi', agent, ...entries]), wild.files));
}

/** How long Node takes to import it: none, where Node cannot. */
export async function nativeMs(wild: WildPackage): Promise<number | undefined> {
  const entry = packageEntry(folderIn(wild));
  if ('fault' in entry) return undefined;
  const end = await onGround(({ run }) => run(process.execPath, [AT_HOME, 'import', entry.file]));
  return (lineOf(end) as { ms: number } | undefined)?.ms;
}

/** Programs of the suite say what they have to say in one marked line: packages print what they like. */
export function lineOf({ stdout }: ProgramEnd): Answers | undefined {
  const line = stdout.split('\n').find((one) => one.startsWith('@@'));
  return line === undefined ? undefined : (JSON.parse(line.slice(2)) as Answers);
}
