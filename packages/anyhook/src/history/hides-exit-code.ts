/** Whether a successful shell call proves that each of its commands succeeded. */

import type { Fields } from '../events/effects.ts';
import type { Event } from '../events/event.ts';

/** Returns why not. Deliberately strict: only commands joined by `&&` are accepted, also inside quotes. */
export function hidesExitCode(views: readonly Event[]): string | undefined {
  for (const { payload } of views) {
    const { tool, input } = payload as { readonly tool: unknown; readonly input: Fields };
    const { command, background } = input;
    if (background === true) return 'it ran in the background';
    if (tool !== 'shell' || typeof command !== 'string') continue;
    const plain = command.trim().replaceAll(/&&|\d*>&\d|&>>?/g, ' ');
    if (/(?:^|&&)\s*!/.test(command)) return 'the command negates it';
    if (/[;|&\n`]|\$\(|<\(|>\(/.test(plain)) return 'run the command alone, without pipes, ";", "||" or "&"';
  }
  return undefined;
}
