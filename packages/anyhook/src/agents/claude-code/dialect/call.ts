/** Describes a tool call with Claude Code's names, and files with absolute paths. */

import { isAbsolute, resolve } from 'node:path';
import type { Change, Fields } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import { callIn, changesIn } from '../../../events/lexicon.ts';
import { tools } from './tools.ts';

const PATH = 'file_path';

export function claudeCallOf(event: Event): { tool: string; input: Fields } {
  const { tool, input } = callIn(tools, event);
  const path = input[PATH];
  return typeof path === 'string' && path !== '' && !isAbsolute(path)
    ? { tool, input: { ...input, [PATH]: resolve(event.scene.cwd, path) } }
    : { tool, input };
}

/** Returns the changes of a hook to the call that it received. An unchanged path keeps the spelling of the host. */
export function changesOf(event: Event, updated: Fields): Change[] {
  const [own, shown] = [callIn(tools, event).input, claudeCallOf(event).input];
  const isUntouched = Object.hasOwn(updated, PATH) && updated[PATH] === shown[PATH];
  return changesIn(tools, event, isUntouched ? { ...updated, [PATH]: own[PATH] } : updated);
}
