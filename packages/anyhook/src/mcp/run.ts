/** `anyhook mcp`: the client uses our stdin and stdout, and the server runs behind us. Exits as the server does. */

import { agentOf } from '../agents/index.ts';
import { toolColumns } from '../dialects.ts';
import type { Capabilities } from '../events/capabilities.ts';
import { show } from '../events/problems.ts';
import { thrownText } from '../events/thrown.ts';
import { foldersOf, locationsOf } from '../gather/folders.ts';
import { type JudgedCalls, openJudgedCalls } from '../gather/judged-calls.ts';
import { createHooks } from '../library/create-hooks.ts';
import type { Hooks } from '../library/hooks.ts';
import { leftToHost } from '../library/left-to-agent.ts';
import { projectLocations } from '../library/project-root.ts';
import { safe } from '../render/safe.ts';
import { ClientLink } from './client-link.ts';
import { Proxy } from './proxy.ts';
import type { ServerLink, ServerListener } from './server-link.ts';

const MCP_CAN: Capabilities = {
  'tool.before': {
    allow: 'full',
    ask: 'full',
    defer: { as: 'deny' },
    deny: 'full',
    set: 'full',
    context: 'full',
    halt: { as: 'deny' },
  },
  'tool.denied': { context: 'full' },
  'tool.after': { set: 'full', context: 'full' },
  'tool.failed': { set: 'full', context: 'full' },
};

export type WrappedServer =
  | { readonly kind: 'program'; readonly command: string; readonly args: readonly string[] }
  | { readonly kind: 'address'; readonly url: string; readonly headers: Readonly<Record<string, string>> };

export interface McpOptions {
  readonly server: WrappedServer;
  readonly cwd: string;
  readonly name?: string;
  /** The agent whose settings name us. */
  readonly host?: string;
  readonly offers: 'added' | 'left out';
  readonly hashes: readonly string[];
}

/** Questions go to clients that can show a form. Otherwise they are answered elsewhere, or refused. */
const UNASKING: Capabilities = {
  ...MCP_CAN,
  'tool.before': { ...MCP_CAN['tool.before'], ask: { as: 'deny' } },
};
/** Clients give up on a call after 60 seconds, unless they were told otherwise. */
const MOST_WAIT_MS = 50_000;

/** How often to check whether the client still exists. */
const LOOK_EVERY_MS = 1_000;
/** Time for the server to exit by itself after the client's last message. */
const LEAVE_MS = 2_000;
const SIGNALS = { SIGTERM: 143, SIGINT: 130, SIGHUP: 129 } as const;

interface End {
  readonly how: string;
  readonly code: number;
}

export async function runMcp(options: McpOptions): Promise<number> {
  const client = new ClientLink();
  let introduced: (canAsk: boolean) => void = () => {};
  const hooks = new Promise<boolean>((resolve) => (introduced = resolve)).then((canAsk) =>
    openHooks(options, canAsk),
  );
  hooks.catch(() => {}); // reported where it was opened
  const judged = notesFor(options);
  let end: (end: End) => void = () => {};
  const over = new Promise<End>((resolve) => (end = resolve));
  const link = await openLink(options, {
    message(message, line) {
      proxy.fromServer(message, line);
      if (client.full !== undefined) link.hold(client.full);
    },
    trouble: say,
    ended: (how, code) => {
      if (code !== 0) say(`the MCP server ${how}`);
      end({ how, code });
    },
  });
  const { cwd, name, offers } = options;
  const proxy: Proxy = new Proxy({ link, write: client.write, say, hooks, cwd, name, offers, judged });
  client.listen({
    message(message) {
      proxy.fromClient(message);
      introduced(proxy.canAsk); // the first message says what the client can do
      if (link.full !== undefined) client.hold(link.full);
    },
    ended(cut) {
      introduced(false);
      if (cut !== '') say(`the client ended within a message: ${cut}`);
      void leave(client, proxy, link);
    },
  });
  for (const [signal, code] of Object.entries(SIGNALS))
    process.once(signal, () => {
      proxy.abandon();
      end({ how: `was ended with us (${signal})`, code });
    });

  const { how, code } = await over;
  await proxy.serverEnded(how);
  client.close();
  await link.close();
  judged?.close();
  introduced(false); // the server may have ended before the client said anything
  await hooks.then((opened) => opened.close()).catch(() => {}); // reported when it was opened
  return code;
}

/** The client sends no more. Waits for open answers, unless the client is gone, and then closes the server. */
async function leave(client: ClientLink, proxy: Proxy, link: ServerLink): Promise<void> {
  while (!proxy.isIdle && !client.isGone) await pause(LOOK_EVERY_MS);
  proxy.abandon();
  link.finish();
  await pause(LEAVE_MS);
  await link.close();
}

function openHooks({ cwd, host, hashes }: McpOptions, canAsk: boolean): Promise<Hooks> {
  const agent = agentOf(host ?? '');
  const opened = createHooks({
    host: { name: host ?? 'mcp', can: canAsk ? MCP_CAN : UNASKING },
    cwd,
    approvals: { mostMs: MOST_WAIT_MS },
    // Hooks that the agent runs by itself before such a call would run twice.
    settings: {
      without: agent?.sideRoutes.mcp.sight === 'asked' ? leftToHost(agent.name, locationsOf({ cwd })) : [],
    },
    modules: { strayErrors: 'survive' },
    ...(hashes.length > 0 && { trust: { hashes } }),
    services: { log: (level, text) => say(`${level}: ${text}`) },
  });
  opened.then(
    ({ problems }) => {
      for (const problem of problems) if (problem.severity === 'error') say(`error: ${show(problem)}`);
    },
    (error: unknown) => say(`error: ${thrownText(error)}; calls of tools are refused`),
  );
  return opened;
}

/** Without an agent there is no bridge that could have judged the call. */
function notesFor({ cwd, host }: McpOptions): JudgedCalls | undefined {
  if (host === undefined) return undefined;
  const ground = projectLocations({ cwd });
  const called = toolColumns().flatMap(({ mcp }) => mcp ?? []);
  return openJudgedCalls(
    { folder: foldersOf(ground).judged, agent: host, project: () => ground.cwd },
    called,
  );
}

async function openLink({ server, cwd }: McpOptions, listener: ServerListener): Promise<ServerLink> {
  if (server.kind === 'program') {
    const { ProgramLink } = await import('./program-link.ts');
    return new ProgramLink({ ...server, cwd }, listener);
  }
  const { AddressLink } = await import('./address-link.ts');
  return new AddressLink(server, listener);
}

const say = (text: string): void => void process.stderr.write(`anyhook: ${safe(text)}\n`);
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref());
