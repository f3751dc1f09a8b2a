/** Converts tool results: `tool_response` in Claude Code has a shape per tool, ours is a list of parts. */

import { isPlain, same } from '../../../events/changes.ts';
import { contentText } from '../../../events/content.ts';
import { type Change, type Fields, set } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import { claudeCallOf } from './call.ts';
import { natives } from './natives.ts';

/** Returns the result in the shape that Claude Code scripts expect. Results of unknown tools are unchanged. */
export function responseOf(event: Event): unknown {
  const { tool, content, details } = event.payload as Fields;
  if (natives.has(event.raw) && event.raw['hook_event_name'] === 'PostToolUse' && details !== undefined)
    return details;
  const text = contentText(content);
  const { input } = claudeCallOf(event);
  const filePath = input['file_path'];
  switch (tool) {
    case 'shell':
      return { stdout: text, stderr: '', interrupted: false, isImage: false, noOutputExpected: false };
    case 'read':
      return { type: 'text', file: { filePath, content: text } };
    case 'write':
      return { type: 'create', filePath, content: input['content'], structuredPatch: [] };
    case 'edit':
      return {
        filePath,
        oldString: input['old_string'],
        newString: input['new_string'],
        replaceAll: input['replace_all'] === true,
        structuredPatch: [],
      };
    default:
      return Array.isArray(content) && !content.every(isText) ? content : text;
  }
}

/** Converts Claude Code's shapes to parts. */
export function responseContent(response: unknown): unknown[] {
  if (Array.isArray(response)) return response;
  if (isPlain(response)) {
    const { stdout, stderr, content, file } = response;
    if (typeof stdout === 'string')
      return [part([stdout, stderr].filter((text) => typeof text === 'string' && text !== '').join('\n'))];
    if (Array.isArray(content)) return content;
    if (isPlain(file) && typeof file['content'] === 'string') return [part(file['content'])];
  }
  return response === undefined || response === null
    ? []
    : [part(typeof response === 'string' ? response : JSON.stringify(response))];
}

/** Converts `updatedToolOutput` to parts, and keeps the tool's own shape if the event had one. */
export function outputChanges(event: Event, updated: unknown): Change[] {
  const { content, details } = event.payload as Fields;
  const parts = responseContent(updated);
  return [
    ...(same(content, parts) ? [] : [set('content', parts)]),
    ...(details === undefined || same(details, updated) || same(responseOf(event), updated)
      ? []
      : [set('details', updated)]),
  ];
}

/** Returns the changed result in its original shape, for Claude Code. */
export function updatedOutput(after: Fields, { payload, raw }: Event): unknown {
  const before = payload as Fields;
  if (!same(before['details'], after['details'])) return after['details'];
  const shape = isPlain(raw) ? raw['tool_response'] : before['details'];
  const text = contentText(after['content']);
  if (isPlain(shape) && typeof shape['stdout'] === 'string') return { ...shape, stdout: text, stderr: '' };
  if (isPlain(shape) && Array.isArray(shape['content'])) return { ...shape, content: after['content'] };
  return Array.isArray(shape) ? after['content'] : text;
}

const part = (text: string) => ({ type: 'text', text });
const isText = (one: unknown): boolean =>
  typeof one === 'string' || (isPlain(one) && typeof one['text'] === 'string');
