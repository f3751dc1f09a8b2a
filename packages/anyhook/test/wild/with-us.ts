/** One package with us: in our loaders, in `anyhook fire`, in our agent. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { bun, node22 } from '../clients/packages.ts';
import type { Answers } from './answers.ts';
import { folderIn, here, lineOf } from './at-home.ts';
import { type Ground, onGround, type ProgramEnd, write } from './ground.ts';
import { DANGER } from './moments.mjs';
import type { WildPackage } from './packages.ts';
import { settle } from './settle.ts';

const CLI = here('../../dist/bin/anyhook.cjs');
const AGENT = here('../../../agent/dist/main.js');

export async function inOurLoaders(wild: WildPackage): Promise<Answers | undefined> {
  const loader = wild.kind === 'opencode' ? 'opencode' : 'pi';
  const runtime = wild.needs === 'bun' ? bun() : nodeFor(wild);
  const args = [here('with-us.mjs'), loader, folderIn(wild)];
  return lineOf(await onGround(({ run }) => run(runtime, args), wild.files));
}

const nodeFor = ({ needs }: WildPackage): string => (needs === 'node22' ? node22() : process.execPath);

export const dangerOf = ({ danger = DANGER }: WildPackage): string => danger;

export const fire = ({ run }: Ground, event: object, node = process.execPath): Promise<ProgramEnd> =>
  run(node, [CLI, 'fire', '--as', 'claude-code'], {
    input: JSON.stringify(event),
    env: { ANYHOOK_WARM: '0' },
  });

/** Our agent with the packages: what guards refuse, what nobody minds, and the end. */
async function agentWith(
  wilds: readonly WildPackage[],
  ground: Ground,
  { node = process.execPath, command = DANGER } = {},
): Promise<AgentEnd> {
  settle(wilds, ground);
  const end = await inAgent(ground, node, [`touch danger.txt && ${command}`, 'touch harmless.txt']);
  const ran = (name: string) => existsSync(join(ground.project, `${name}.txt`));
  return { ...end, ran: { danger: ran('danger'), harmless: ran('harmless') } };
}

/** All of them in one home. */
export const together = (wilds: readonly WildPackage[]): Promise<AgentEnd> =>
  onGround(
    (ground) => agentWith(wilds, ground),
    Object.assign({}, ...wilds.map(({ files }) => files)) as Readonly<Record<string, string>>,
  );

export interface AgentEnd extends ProgramEnd {
  /** Which of its two calls ran: what guards refuse, and what nobody minds. */
  readonly ran: { readonly danger: boolean; readonly harmless: boolean };
}
export interface HostEnds {
  readonly agent: AgentEnd;
  readonly fire: ProgramEnd;
}

/** Our agent with the package. Then `anyhook fire`, as Claude Code starts it for the first of its two calls. */
export const inHosts = (wild: WildPackage): Promise<HostEnds> =>
  onGround(async (ground) => {
    const command = dangerOf(wild);
    const node = nodeFor(wild);
    const event = {
      hook_event_name: 'PreToolUse',
      session_id: 's',
      cwd: ground.project,
      tool_name: 'Bash',
      tool_input: { command },
    };
    return {
      agent: await agentWith([wild], ground, { node, command }),
      fire: await fire(ground, event, node),
    };
  }, wild.files);

async function inAgent(
  { home, project, run }: Ground,
  node: string,
  commands: readonly string[],
): Promise<ProgramEnd> {
  const script = join(home, 'play.yaml');
  const calls = commands.map(
    (command) =>
      `- text: I run it.\n  calls: [{ tool: shell, input: { command: ${JSON.stringify(command)} } }]\n`,
  );
  // Some hooks make it go on when it wants to stop, so it is done more than once.
  write(script, `${calls.join('')}${'- text: Done.\n'.repeat(10)}`);
  const model = ['--model', `scripted:${script}`, '--permission', 'allow', '--load-ms', '60000'];
  return await run(node, [AGENT, '-p', 'go', '--cwd', project, ...model]);
}
