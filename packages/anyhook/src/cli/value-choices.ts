/** Values for completion: agents, events in any dialect, dialects, recipes, hook names. */

import type { Command } from 'commander';
import { readLock } from '../add/added.ts';
import { recipes } from '../add/recipes.ts';
import { places } from '../agents/anyhook/dialect/places.ts';
import { AGENT_NAMES } from '../agents/index.ts';
import { DIALECTS } from '../dialects.ts';
import { EVENT_NAMES } from '../events/events.ts';
import { label } from '../events/hook.ts';
import { locationsOf } from '../gather/folders.ts';
import { FIRST_HOOKS } from './first-hooks.ts';
import { SET_NAMES } from './sets.ts';
import { survey } from './survey.ts';

type Choices = () => readonly string[] | Promise<readonly string[]>;

const agents: Choices = () => AGENT_NAMES;
/** Our names first, with OpenCode's bus events as users write them. */
const events: Choices = () => {
  const theirs = DIALECTS.flatMap(({ words }) => EVENT_NAMES.flatMap((name) => words[name] ?? []));
  return [...EVENT_NAMES, ...theirs.map((word) => word.replace(/^event:/, ''))];
};
const inTime: Choices = () => ['today', 'yesterday', '15m', '2h', '1d'];

/** By `<command> <argument>`, or by the name of an argument or option anywhere. */
const CHOICES: Readonly<Record<string, Choices>> = {
  event: events,
  'command or event': events,
  '--event': events,
  agent: agents,
  '--host': agents,
  '--as': () => DIALECTS.map(({ name }) => name),
  '--hook': hookNames,
  '--since': inTime,
  '--verdict': () => ['allow', 'ask', 'defer', 'deny', 'none', 'would-deny'],
  '--kind': () => Object.keys(FIRST_HOOKS),
  '--set': () => SET_NAMES,
  '--day': () => ['today', 'yesterday'],
  'add what': () => recipes().map(({ name }) => name),
  'remove name': addedNames,
  'pause duration': () => ['15m', '30m', '2h'],
  'daemon action': () => ['status', 'stop'],
  'completion shell': () => ['bash', 'zsh', 'fish', 'powershell'],
};

/** Looks up values for the words typed so far. Reads the list of hooks only if needed. */
export async function offerValues(command: Command, words: readonly string[]): Promise<void> {
  for (const argument of command.registeredArguments) {
    const choices = CHOICES[`${command.name()} ${argument.name()}`] ?? CHOICES[argument.name()];
    if (choices !== undefined) argument.argChoices = distinct(await choices());
  }
  for (const option of command.options) {
    const isAsked = words.some((word) => word === option.long || word.startsWith(`${option.long}=`));
    const choices = CHOICES[option.long ?? ''];
    if (isAsked && choices !== undefined) option.argChoices = distinct(await choices());
  }
}

const distinct = (values: readonly string[]): string[] => [...new Set(values)];

async function hookNames(): Promise<readonly string[]> {
  const hooks = await survey(undefined);
  await hooks.close();
  return hooks.hooks.map(label).filter((name) => !/\s/.test(name)); // a complete command is not a value
}

function addedNames(): readonly string[] {
  const settings = places(locationsOf({})).filter(({ layer }) => layer === 'user' || layer === 'project');
  return settings.flatMap(({ file }) => Object.keys(readLock(file)));
}
