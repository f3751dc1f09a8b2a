/** Built-in slash commands of the agent. Commands of hooks come after them under free names. */

import type { Services } from 'anyhook';
import { openMenu } from 'anyhook/menu';
import type { View } from 'anyhook/view';
import type { AgentPort } from './agent-port.ts';
import { THEME_NAMES, type ThemeName } from './theme.ts';

type Dialogs = NonNullable<Services['ui']>;
export interface SlashContext {
  readonly agent: AgentPort;
  readonly ui: Pick<Dialogs, 'select' | 'confirm' | 'input'>;
  /** The project folder, if it is not the working folder of the process. */
  readonly cwd?: string;
  say(text: string): void;
  /** Clears the transcript and shows the current session. */
  turnPage(): void;
  setTheme(name: ThemeName): void;
  leave(): void;
}
export interface Slash {
  readonly name: string;
  readonly description: string;
  readonly hint?: string;
  run(args: string, context: SlashContext): Promise<void>;
}

export const SLASHES: readonly Slash[] = [
  { name: 'help', description: 'commands and keys', run: async (_, context) => help(context) },
  {
    name: 'hooks',
    description: 'hooks, their rights and state; view: their decisions, in the browser',
    hint: '[view]',
    run: hooks,
  },
  {
    name: 'compact',
    description: 'replace the conversation by its summary',
    hint: '[what to keep]',
    run: async (args, { agent }) => agent.compact(args === '' ? undefined : args),
  },
  {
    name: 'new',
    description: 'begin a new session',
    run: (_, context) => turned(context, context.agent.newSession()),
  },
  { name: 'resume', description: 'go on with an earlier session', run: resume },
  { name: 'branch', description: 'a new session from an earlier prompt of this one', run: branch },
  { name: 'tree', description: 'go to another place in this session', run: tree },
  { name: 'model', description: 'another model', hint: '<provider:model>', run: model },
  { name: 'theme', description: 'dark, light or plain', hint: '<name>', run: theme },
  { name: 'quit', description: 'leave', run: async (_, context) => context.leave() },
];

/** Returns true if the line was a command, even if it failed. */
export async function runSlash(line: string, context: SlashContext): Promise<boolean> {
  const [, name = '', args = ''] = /^\/(\S+)\s*([\s\S]*)$/.exec(line) ?? [];
  if (name === '') return false;
  const own = SLASHES.find((slash) => slash.name === name);
  if (own !== undefined) {
    await own.run(args.trim(), context);
    return true;
  }
  const offered = context.agent.commands().some((command) => command.name === name);
  if (!offered) context.say(`Unknown command /${name}. /help lists them.`);
  else {
    const { id } = context.agent.session;
    await context.agent.runCommand(name, args.trim()); // A notice reports why it was refused.
    if (context.agent.session.id !== id) context.turnPage(); // Include entries that the command added to the new session.
  }
  return true;
}

function help({ agent, say }: SlashContext): void {
  const row = (name: string, description: string) => `  ${name.padEnd(22)} ${description}`;
  say(
    [
      'Commands',
      ...SLASHES.map(({ name, hint, description }) => row(`/${name} ${hint ?? ''}`.trim(), description)),
      ...agent.commands().map(({ name, description = 'a hook brought it' }) => row(`/${name}`, description)),
      'Keys',
      row('esc', 'stop the agent'),
      row('ctrl+o', 'all output of tools, or the first lines'),
      row('ctrl+c', 'clear the line; twice: leave'),
      row('ctrl+d', 'leave'),
    ].join('\n'),
  );
}

/** Opens the menu of `anyhook hooks` in this screen. Changes take effect immediately. */
async function hooks(args: string, context: SlashContext): Promise<void> {
  const { agent, ui, say, cwd } = context;
  if (args === 'view') return hooksView(context);
  if (args !== '') return say(`Unknown command /hooks ${args}. Use /hooks or /hooks view.`);
  return openMenu({
    ui: { ...dialogsOf(ui), notify: say },
    hooks: agent.hooks,
    ...(cwd !== undefined && { cwd }),
  });
}

/** One view per process, closed at exit. */
let view: Promise<View> | undefined;
async function hooksView({ agent, say, cwd }: SlashContext): Promise<void> {
  view ??= import('anyhook/view').then(({ openView }) => openView(cwd === undefined ? {} : { cwd }));
  try {
    const opened = await view;
    opened.unref();
    say(`${opened.addressOf(agent.session.id)}\nThe address holds the key to the page: it is for you alone.`);
  } catch (error) {
    view = undefined;
    say(`The view cannot be opened: ${(error as Error).message}`);
  }
}

/** Dialogs may be methods, so call them on their object. */
const dialogsOf = (ui: SlashContext['ui']): SlashContext['ui'] => ({
  select: (...args) => ui.select(...args),
  confirm: (...args) => ui.confirm(...args),
  input: (...args) => ui.input(...args),
});

async function resume(args: string, context: SlashContext): Promise<void> {
  const known = context.agent.sessions();
  if (known.length === 0) return context.say('There is no earlier session in this folder.');
  const shown = known.map(({ about, changedMs }) => `${new Date(changedMs).toLocaleString()}  ${about}`);
  const chosen = args === '' ? await context.ui.select('Which session?', shown) : undefined;
  const file = args === '' ? known[shown.indexOf(chosen ?? '')]?.file : args;
  if (file !== undefined) await turned(context, context.agent.resume(file));
}

async function branch(_: string, context: SlashContext): Promise<void> {
  const spot = await spotFrom(context, 'Branch from where?');
  if (spot !== undefined) await turned(context, context.agent.branch(spot));
}

async function tree(_: string, context: SlashContext): Promise<void> {
  const spot = await spotFrom(context, 'Go where?');
  if (spot === undefined) return;
  const answer = await context.ui.select('Keep a summary of what you leave behind?', ['No', 'Yes']);
  if (answer === undefined) return;
  await turned(context, context.agent.navigate(spot, { summarize: answer === 'Yes' }));
}

async function spotFrom({ agent, ui, say }: SlashContext, title: string): Promise<string | undefined> {
  const spots = agent.spots();
  if (spots.length === 0) return void say('The session is still empty.');
  const shown = spots.map(
    ({ depth, about, isHere }) => `${'  '.repeat(depth)}${isHere ? '● ' : '○ '}${about}`,
  );
  const chosen = await ui.select(title, shown.map(numbered));
  return spots[shown.map(numbered).indexOf(chosen ?? '')]?.id;
}
/** Numbers entries, because two prompts may have the same text. */
const numbered = (text: string, index: number): string => `${String(index + 1).padStart(3)} ${text}`;

async function model(args: string, context: SlashContext): Promise<void> {
  const spec = args === '' ? await context.ui.input('Which model?', context.agent.model) : args;
  if (spec === undefined || spec === '') return;
  if (await context.agent.setModel(spec)) context.say(`The model is ${context.agent.model} now.`);
}

async function theme(args: string, context: SlashContext): Promise<void> {
  const name = args === '' ? await context.ui.select('Which theme?', THEME_NAMES) : args;
  const known = THEME_NAMES.find((theme) => theme === name);
  if (known !== undefined) context.setTheme(known);
  else if (name !== undefined) context.say(`Unknown theme ${name}: ${THEME_NAMES.join(', ')}.`);
}

async function turned(context: SlashContext, going: Promise<boolean>): Promise<void> {
  if (await going) context.turnPage();
  else context.say('Nothing has changed.');
}
