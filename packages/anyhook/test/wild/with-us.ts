/** One package with us: in our loaders, in `anyhook fire`, in our agent. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { extensionEntries } from '../../src/assembly/foreign-modules/extension-entries.ts';
import { bun } from '../clients/packages.ts';
import type { Answers } from './answers.ts';
import { folderIn, here, lineOf } from './at-home.ts';
import { claudeSettings } from './claude-hooks.ts';
import { type Ground, onGround, type ProgramEnd } from './ground.ts';
import { DANGER } from './moments.mjs';
import type { WildPackage } from './packages.ts';

const CLI = here('../../dist/bin/anyhook.cjs');
const AGENT = here('../../../agent/dist/main.js');

export async function inOurLoaders(wild: WildPackage): Promise<Answers | undefined> {
  const loader = wild.kind === 'opencode' ? 'opencode' : 'pi';
  const runtime = wild.needs === 'bun' ? bun() : process.execPath;
  return lineOf(await onGround(({ run }) => run(runtime, [here('with-us.mjs'), loader, folderIn(wild)])));
}

export const dangerOf = ({ danger = DANGER }: WildPackage): string => danger;

/** `anyhook fire`, as Claude Code starts it for a call that guards refuse. */
export const inFire = (wild: WildPackage): Promise<ProgramEnd> =>
  onGround(async (ground) => {
    settle(wild, ground);
    const event = {
      hook_event_name: 'PreToolUse',
      session_id: 's',
      cwd: ground.project,
      tool_name: 'Bash',
      tool_input: { command: dangerOf(wild) },
    };
    return await fire(ground, event);
  });

export const fire = ({ run }: Ground, event: object): Promise<ProgramEnd> =>
  run(process.execPath, [CLI, 'fire', '--as', 'claude-code'], {
    input: JSON.stringify(event),
    env: { ANYHOOK_WARM: '0' },
  });

export interface AgentEnd extends ProgramEnd {
  /** Which of its two calls ran: what guards refuse, and what nobody minds. */
  readonly ran: { readonly danger: boolean; readonly harmless: boolean };
}
/** Our agent with the package: two calls, and the end. */
export const inAgent = (wild: WildPackage): Promise<AgentEnd> =>
  onGround(async (ground) => {
    const { home, project, run } = ground;
    settle(wild, ground);
    const script = join(home, 'play.yaml');
    const calls = [`touch danger.txt && ${dangerOf(wild)}`, 'touch harmless.txt'].map(
      (command) =>
        `- text: I run it.\n  calls: [{ tool: shell, input: { command: ${JSON.stringify(command)} } }]\n`,
    );
    write(script, `${calls.join('')}- text: Done.\n`);
    const model = ['--model', `scripted:${script}`, '--permission', 'allow', '--load-ms', '60000'];
    const end = await run(process.execPath, [AGENT, '-p', 'go', '--cwd', project, ...model]);
    const ran = (name: string) => existsSync(join(project, `${name}.txt`));
    return { ...end, ran: { danger: ran('danger'), harmless: ran('harmless') } };
  });

/** Where its agent's users put it. */
export function settle(wild: WildPackage, { home }: Pick<Ground, 'home'>): void {
  const folder = folderIn(wild);
  if (wild.kind === 'opencode')
    write(join(home, '.config/opencode/opencode.json'), JSON.stringify({ plugin: [folder] }));
  else if (wild.kind === 'pi')
    write(join(home, '.pi/agent/settings.json'), JSON.stringify({ packages: [folder] }));
  else if (wild.kind === 'oh-my-pi')
    write(
      join(home, '.omp/agent/extensions/wild/package.json'),
      JSON.stringify({ omp: { extensions: extensionEntries(folder) } }),
    );
  else write(join(home, '.claude/settings.json'), JSON.stringify(claudeSettings(wild, folder)));
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
