/** Switches undo on and off in the user's `hooks.json`, without touching anything else in it. */

import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { applyEdits, modify } from 'jsonc-parser';
import writeFileAtomic from 'write-file-atomic';
import { parsedFields, proven } from '../install/json-text.ts';

/** What `anyhook add` calls it. */
export const UNDO = 'undo';
export const ABOUT_UNDO =
  'Snapshots around the calls of agents, so that `anyhook undo` puts back what they changed.';

/** The text with the setting, or undefined if it says so already. Settings of undo count as on. */
export function withUndo(text: string, file: string, state: 'on' | 'off'): string | undefined {
  const { undo: before, ...others } = parsedFields(text, file);
  const isOn = before !== undefined && before !== false;
  if (isOn === (state === 'on')) return undefined;
  const start = text.trim() === '' ? '{\n}\n' : text;
  const formattingOptions = { insertSpaces: true, tabSize: 2 };
  const after = applyEdits(
    start,
    modify(start, [UNDO], state === 'on' ? true : undefined, { formattingOptions }),
  );
  return proven(after, state === 'on' ? { ...others, undo: true } : others, file);
}

export function switchUndo(file: string, state: 'on' | 'off'): boolean {
  const text = withUndo(existsSync(file) ? readFileSync(file, 'utf8') : '', file, state);
  if (text === undefined) return false;
  mkdirSync(dirname(file), { recursive: true });
  writeFileAtomic.sync(file, text);
  return true;
}
