/** Slash commands of the agent itself; those of hooks come after them, under names that are still free. */
import type { Services } from 'anyhook';
import { openMenu } from 'anyhook/menu';
import type { AgentPort } from './agent-port.ts';
import { THEME_NAMES, type ThemeName } from './theme.ts';

type Dialogs = NonNullable<Services['ui']>;
export interface SlashContext {
  readonly agent: AgentPort;
  readonly ui: Pick<Dialogs, 'select' | 'confirm' | 'input'>;
  /** The project, where it is not the folder the program was started in. */
  readonly cwd?: string;
  say(text: string): void;
  /** The transcript is another session's now. */
  turnPage(): void;
  setTheme(name: ThemeName): void;
  leave(): void;
}
export interface Slash {
  readonly name: string;
  readonly description: string;
  readonly hint?: string;
  run(args: string, desk: SlashContext): Promise<void>;
}

export const SLASHES: readonly Slash[] = [
  { name: 'help', description: 'what can be typed here', run: async (_, desk) => help(desk) },
  { name: 'hooks', description: 'every hook, what it may do and how it stands', run: hooks },
  {
    name: 'compact',
    description: 'replace the conversation by its summary',
    hint: '[what to keep]',
    run: async (args, { agent }) => agent.compact(args === '' ? undefined : args),
  },
  {
    name: 'new',
    description: 'begin a new session',
    run: (_, desk) => turned(desk, desk.agent.newSession()),
  },
  { name: 'resume', description: 'go on with an earlier session', run: resume },
  { name: 'branch', description: 'a new session from an earlier prompt of this one', run: branch },
  { name: 'tree', description: 'go to another place in this session', run: tree },
  { name: 'model', description: 'another model', hint: '<provider:model>', run: model },
  { name: 'theme', description: 'dark, light or plain', hint: '<name>', run: theme },
  { name: 'quit', description: 'leave', run: async (_, desk) => desk.leave() },
];

/** True: it was a command, whatever came of it. */
export async function runSlash(line: string, desk: SlashContext): Promise<boolean> {
  const [, name = '', args = ''] = /^\/(\S+)\s*([\s\S]*)$/.exec(line) ?? [];
  if (name === '') return false;
  const own = SLASHES.find((slash) => slash.name === name);
  if (own !== undefined) {
    await own.run(args.trim(), desk);
    return true;
  }
  const offered = desk.agent.commands().some((command) => command.name === name);
  if (!offered) desk.say(`There is no command /${name}. /help lists them.`);
  else {
    const { id } = desk.agent.session;
    await desk.agent.runCommand(name, args.trim()); // why it was refused is a happening
    if (desk.agent.session.id !== id) desk.turnPage(); // with what the command put into the new session
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

/** The menu of `anyhook hooks`, with this screen's dialogs; what is changed in it holds at once. */
function hooks(_: string, { agent, ui, say, cwd }: SlashContext): Promise<void> {
  return openMenu({
    ui: { ...dialogsOf(ui), notify: say },
    hooks: agent.hooks,
    ...(cwd !== undefined && { cwd }),
  });
}

/** Dialogs may be methods of something: they are called on it. */
const dialogsOf = (ui: SlashContext['ui']): SlashContext['ui'] => ({
  select: (...args) => ui.select(...args),
  confirm: (...args) => ui.confirm(...args),
  input: (...args) => ui.input(...args),
});

async function resume(args: string, desk: SlashContext): Promise<void> {
  const known = desk.agent.sessions();
  if (known.length === 0) return desk.say('There is no earlier session in this folder.');
  const shown = known.map(({ about, changedMs }) => `${new Date(changedMs).toLocaleString()}  ${about}`);
  const chosen = args === '' ? await desk.ui.select('Which session?', shown) : undefined;
  const file = args === '' ? known[shown.indexOf(chosen ?? '')]?.file : args;
  if (file !== undefined) await turned(desk, desk.agent.resume(file));
}

async function branch(_: string, desk: SlashContext): Promise<void> {
  const spot = await spotFrom(desk, 'Branch from where?');
  if (spot !== undefined) await turned(desk, desk.agent.branch(spot));
}

async function tree(_: string, desk: SlashContext): Promise<void> {
  const spot = await spotFrom(desk, 'Go where?');
  if (spot === undefined) return;
  const answer = await desk.ui.select('Keep a summary of what you leave behind?', ['No', 'Yes']);
  if (answer === undefined) return;
  await turned(desk, desk.agent.navigate(spot, { summarize: answer === 'Yes' }));
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
/** Two prompts may read the same. */
const numbered = (text: string, index: number): string => `${String(index + 1).padStart(3)} ${text}`;

async function model(args: string, desk: SlashContext): Promise<void> {
  const spec = args === '' ? await desk.ui.input('Which model?', desk.agent.model) : args;
  if (spec === undefined || spec === '') return;
  if (await desk.agent.setModel(spec)) desk.say(`The model is ${desk.agent.model} now.`);
}

async function theme(args: string, desk: SlashContext): Promise<void> {
  const name = args === '' ? await desk.ui.select('Which theme?', THEME_NAMES) : args;
  const known = THEME_NAMES.find((theme) => theme === name);
  if (known !== undefined) desk.setTheme(known);
  else if (name !== undefined) desk.say(`There is no theme ${name}: ${THEME_NAMES.join(', ')}.`);
}

async function turned(desk: SlashContext, going: Promise<boolean>): Promise<void> {
  if (await going) desk.turnPage();
  else desk.say('Nothing has changed.');
}
