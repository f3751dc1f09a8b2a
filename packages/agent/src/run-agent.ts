/** Runs the agent as the command line requests. Returns the exit code: 0 done, 1 not completed, 2 usage error. */

import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { paintFor, safe, safeJson } from 'anyhook/views';
import type { Args } from './args.ts';
import type { Happening, Listen } from './front/happening.ts';
import { nobody, type Person } from './front/person.ts';
import { type AgentOptions, openAgent } from './loop/open-agent.ts';
import { BadSettings } from './loop/settings.ts';
import { NoModel } from './models/no-model.ts';
import { resultOf, streamLine } from './screen/outputs.ts';
import { plainLines } from './screen/plain.ts';
import { sdkWarnings } from './screen/sdk-warnings.ts';
import { UnreadableSession } from './session/read-session.ts';
import { openMcpTools } from './tools/mcp.ts';

type OpenedAgent = Awaited<ReturnType<typeof openAgent>>;

export async function runAgent(args: Args, home: string): Promise<number> {
  try {
    return isInteractive(args) ? await onTerminal(args, home) : await withoutTerminal(args, home);
  } catch (error) {
    if (!isTheirs(error)) throw error;
    process.stderr.write(`anyhook-agent: ${safe(error.message)}\n`);
    return 2;
  }
}

const isInteractive = ({ isHeadless }: Args): boolean =>
  !isHeadless && process.stdin.isTTY === true && process.stdout.isTTY === true;

/** Errors that the user can fix print one line; other errors print a stack. */
const isTheirs = (error: unknown): error is Error =>
  error instanceof NoModel || error instanceof BadSettings || error instanceof UnreadableSession;

async function onTerminal(args: Args, home: string): Promise<number> {
  const [{ TerminalScreen }, { themeFor }] = await Promise.all([
    import('./screen/terminal-screen.ts'),
    import('./screen/theme.ts'),
  ]);
  const screen = new TerminalScreen({ theme: themeFor(args.theme, process.env), cwd: resolve(args.cwd) });
  const early: Happening[] = [];
  screen.open();
  let agent: OpenedAgent | 'left' | undefined;
  try {
    const opening = open(args, home, screen.person, (happening) => void early.push(happening));
    agent = await Promise.race([opening, screen.left.then(() => 'left' as const)]);
    if (agent !== 'left')
      await screen.run(agent, { first: args.prompt, early, choose: args.resume === true });
  } finally {
    await screen.shut();
  }
  // Do not wait for resources that are still opening.
  if (agent === 'left') process.exit(INTERRUPTED);
  await agent.close();
  return 0;
}
const INTERRUPTED = 130;

async function withoutTerminal(args: Args, home: string): Promise<number> {
  const prompt = args.prompt === '' && process.stdin.isTTY !== true ? await text(process.stdin) : args.prompt;
  if (prompt.trim() === '') {
    process.stderr.write('anyhook-agent: missing prompt. Pass it as an argument or on stdin.\n');
    return 2;
  }
  const ending = resultOf();
  const shown = listenerFor(args);
  let isOver = false;
  const listen: Listen = (happening) => {
    if (isOver) return; // A background hook may end late; the result must be the last line.
    ending.listen(happening);
    shown(happening);
  };
  const settle = failIfEnded();
  try {
    let stop = () => {};
    const reader = watchReader(() => stop());
    const agent = await open(args, home, nobody, listen);
    stop = () => agent.abort();
    process.once('SIGINT', stop).once('SIGTERM', stop);
    if (!reader.isGone) await asked(agent, prompt, listen);
    await agent.close();
    process.off('SIGINT', stop).off('SIGTERM', stop);
  } finally {
    settle(); // The error is reported below and has its own exit code.
  }
  isOver = true;
  const result = ending.result();
  if (args.output !== 'text') process.stdout.write(`${safeJson(result)}\n`);
  return result.stopped === 'done' ? 0 : 1;
}

/** Fails the run if the process exits before the returned function is called, whatever the exit code is. */
function failIfEnded(): () => void {
  const ended = () => {
    process.stderr.write('anyhook-agent: the process exited before the run was complete.\n');
    process.exitCode = 1;
  };
  process.once('exit', ended);
  return () => process.off('exit', ended);
}

/** Runs a command if the prompt names one. An unknown name with a slash is a prompt. */
async function asked(agent: OpenedAgent, prompt: string, listen: Listen): Promise<void> {
  const [, name, args = ''] = /^\/(\S+)\s*([\s\S]*)$/.exec(prompt.trim()) ?? [];
  if (name === undefined || !agent.commands().some((command) => command.name === name))
    return agent.prompt(prompt);
  let hasStopped = false;
  const quiet = agent.listen(({ kind }) => (hasStopped ||= kind === 'stopped'));
  const hasRun = await agent.runCommand(name, args.trim());
  await agent.waitForIdle();
  quiet();
  // A command without a prompt for the model is done when it has run. A refusal was reported before.
  if (!hasStopped) listen({ kind: 'stopped', why: hasRun ? 'done' : 'halted' });
}

/** Detects that the reader closed the pipe (`| head`). Then output is dropped without an error. */
function watchReader(onGone: () => void): { readonly isGone: boolean } {
  let isGone = false;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    isGone = true;
    onGone();
  });
  return {
    get isGone() {
      return isGone;
    },
  };
}

function listenerFor({ output }: Args): Listen {
  if (output === 'json')
    return (happening) => {
      if (happening.kind !== 'notice' || happening.level === 'info') return;
      process.stderr.write(`anyhook-agent: ${safe(happening.text)}\n`);
    };
  if (output === 'stream-json') return (happening) => void process.stdout.write(`${streamLine(happening)}\n`);
  return plainLines({
    answer: (line) => void process.stdout.write(`${line}\n`),
    note: (line) => void process.stderr.write(`${line}\n`),
    paint: paintFor(process.stderr, process.env),
  });
}

async function open(args: Args, home: string, person: Person, listen: Listen): Promise<OpenedAgent> {
  const cwd = resolve(args.cwd);
  globalThis.AI_SDK_LOG_WARNINGS = sdkWarnings(listen);
  const mcp = await openMcpTools({
    cwd,
    home,
    env: process.env,
    hashes: args.trust,
    ...(person.dialogs && { ui: person.dialogs }),
  });
  for (const message of mcp.problems) listen({ kind: 'notice', level: 'warning', text: message });
  const { model, hookModel, permission, maxTurns } = args;
  const options: AgentOptions = {
    cwd,
    person,
    listen,
    start: typeof args.resume === 'string' ? { resume: args.resume } : args.isContinued ? 'continue' : 'new',
    tools: mcp.tools,
    onClose: mcp.close,
    hooks: {
      ...(args.trust.length > 0 && { trust: { hashes: args.trust } }),
      modules: {
        ...(args.hooks.length > 0 && { files: args.hooks }),
        ...(args.loadMs !== undefined && { loadMs: args.loadMs }),
      },
    },
    ...(model !== undefined && { model }),
    ...(hookModel !== undefined && { hookModel }),
    ...(permission !== undefined && { permission }),
    ...(maxTurns !== undefined && { maxTurns }),
  };
  try {
    return await openAgent(options);
  } catch (error) {
    await mcp.close();
    throw error;
  }
}
