/** Turns a slash command into a prompt, after hooks have seen it. */

import type { Actor, Wire } from '../hooks/wire.ts';
import { commandsIn } from './prompt-shell.ts';
import type { Prompt } from './submit.ts';

export type Ready =
  | { readonly kind: 'ready'; readonly prompt: Prompt; readonly contexts: readonly string[] }
  | { readonly kind: 'refused'; readonly why: string };

export async function readyCommand(
  wire: Wire,
  who: Actor,
  { name, args, text }: { readonly name: string; readonly args: string; readonly text: string | undefined },
): Promise<Ready> {
  const { refused, parts, contexts } = await wire.commandBefore(who, {
    command: name,
    arguments: args,
    parts: text === undefined ? [] : [{ type: 'text', text }],
  });
  if (refused !== undefined) return { kind: 'refused', why: refused };
  const texts = (parts as { text?: unknown }[]).flatMap((part) =>
    typeof part.text === 'string' ? [part.text] : [],
  );
  const prompt = { text: texts.join('\n\n'), images: [], commands: commandsIn(text ?? '') };
  return { kind: 'ready', prompt, contexts };
}
