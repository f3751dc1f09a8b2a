/** Plays the demo: the real agent with a scripted model, in a sample project with hooks in seven dialects. */

import { createHooks, type Hooks } from 'anyhook';
import type { HookCallback } from 'anyhook/claude-agent-sdk';
import { brief, type Paint } from 'anyhook/views';
import type { Person } from '../front/person.ts';
import type { Agent } from '../loop/agent.ts';
import { openAgent } from '../loop/open-agent.ts';
import type { DemoFolders } from './folders.ts';
import { narrate } from './narrate.ts';

/** A callback as in a program that uses the Claude Agent SDK. */
const askBeforeRelease: HookCallback<'PreToolUse'> = ({ tool_input: input }) =>
  String((input as { command?: unknown }).command).includes('release')
    ? {
        hookSpecificOutput: {
          hookEventName: 'PreToolUse',
          permissionDecision: 'ask',
          permissionDecisionReason: 'a release cannot be taken back',
        },
      }
    : {};

export interface Show {
  readonly print: (line: string) => void;
  readonly paint: Paint;
}

export interface PlayedSession {
  readonly id: string;
  readonly trust: { readonly hashes: readonly string[] };
}

export async function play(ground: DemoFolders, { print, paint }: Show): Promise<PlayedSession> {
  const { home, cwd, env, script } = ground;
  print(paint('bold', 'anyhook: any hook, in any agent'));
  print('');
  print('A coding agent at work, in a sample project in a temporary folder. Its model');
  print('plays a script; the agent, its tools and the hooks are real. The hooks are in');
  print('the formats of six other agents, as those agents would run them, and our own.');
  print('');
  const trusted = await trustSample(ground);
  print('Nothing of a project runs before you trust it. The demo trusts these by hash:');
  for (const { hash, file } of trusted) print(paint('dim', `  ${hash.slice(0, 19)}…  ${file}`));

  let agent: Agent | undefined;
  const background = makeBackground();
  const short = (text: string) => text.replaceAll(`${cwd}/`, '').replaceAll(home, '~');
  const listen = narrate({
    print,
    paint,
    short,
    hookOf: (id) => agent?.hooks.hooks.find((hook) => hook.id === id),
    messages: () => agent?.current.messages() ?? [],
  });
  agent = await openAgent({
    cwd,
    home,
    env,
    listen,
    model: `scripted:${script}`,
    person: played({ print, paint }),
    hooks: {
      trust: { hashes: trusted.map(({ hash }) => hash) },
      hooks: { PreToolUse: { matcher: 'Bash', hooks: [askBeforeRelease] } },
      watch: { onLate: background.ended },
    },
  });
  try {
    await agent.prompt('Make the greeting friendlier, tidy up, and release it.');
    await background.once();
    await agent.compact();
    await agent.prompt('Which version was that?');
    await background.once();
    return { id: agent.session.id, trust: { hashes: trusted.map(({ hash }) => hash) } };
  } finally {
    await agent.close();
  }
}

/** Answers permission questions on behalf of the user and prints that it does. */
const played = ({ print, paint }: Show): Person => ({
  isThere: true,
  permit: async ({ title, reasons }) => {
    print(`    ${paint('yellow', 'May it run?')} ${brief(`${title} (${reasons.join('; ')})`, 58)}`);
    print(`${paint('bold', 'You')}    Yes, once. ${paint('dim', '(the demo answers for you)')}`);
    return 'once';
  },
});

const DEADLINE_MS = 20_000;

/**
 * The demo waits for background hooks, so that their lines appear at a fixed position and no process is left running.
 */
function makeBackground(): { ended(): void; once(): Promise<void> } {
  let count = 0;
  let wake = () => {};
  return {
    ended: () => {
      count++;
      wake();
    },
    async once() {
      // The timer keeps the process alive; background hooks do not.
      const timer = setTimeout(() => wake(), DEADLINE_MS);
      if (count === 0) await new Promise<void>((resolve) => (wake = resolve));
      clearTimeout(timer);
      count = 0;
    },
  };
}

/** Hooks of a project need trust. The demo trusts them by name, as an unattended machine would. */
interface TrustedHook {
  readonly hash: string;
  readonly file: string;
}

async function trustSample({ home, cwd, env }: DemoFolders): Promise<readonly TrustedHook[]> {
  const hooks = await createHooks({
    host: { name: 'anyhook-demo', can: {} },
    home,
    cwd,
    env,
    journal: false,
  });
  const found = hooks.examined.map(({ judgement, file }: Hooks['examined'][number]) => ({
    hash: judgement.hash,
    file: file.slice(cwd.length + 1),
  }));
  await hooks.close();
  return found;
}
