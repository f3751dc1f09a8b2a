/**
 * Replaces `` !`command` `` in a prompt with the output of the command, as OpenCode does. The command runs as a call
 * of the shell tool, so hooks, rules and the user judge it. A refusal replaces it with the reason.
 */

import { textOf, type ToolCallPart } from '../session/message.ts';
import type { Talk } from './talk.ts';
import { runCalls } from './tool-calls.ts';

export interface FilledPrompt {
  readonly text: string;
  readonly contexts: readonly string[];
  readonly halt?: string;
}
const COMMAND = /!`([^`]+)`/g;

export const commandsIn = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(COMMAND)].map(([, command]) => command!)),
];

/** Runs only the given commands. Text from a hook or a result is not executed. */
export async function withOutputs(
  talk: Talk,
  text: string,
  commands: readonly string[],
): Promise<FilledPrompt> {
  const wanted = commandsIn(text).filter((command) => commands.includes(command));
  if (wanted.length === 0) return { text, contexts: [] };
  const content = wanted.map((command): ToolCallPart => ({
    type: 'toolCall',
    id: talk.session.newId(),
    name: 'shell',
    arguments: { command },
  }));
  const { messages, ...rest } = await runCalls(talk, { content });
  const outputs = new Map(wanted.map((command, i) => [command, textOf(messages[i]!)]));
  const filled = text.replaceAll(COMMAND, (whole, command: string) => outputs.get(command) ?? whole);
  return { text: filled, ...rest };
}
