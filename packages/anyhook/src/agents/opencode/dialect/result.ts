/** `tool.execute.after`: title, one text and metadata in OpenCode; content parts and details here. */

import { diff, isPlain } from '../../../events/changes.ts';
import { contentText } from '../../../events/content.ts';
import { type Change, type Effect, type Fields, set } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import { openCodeCallOf } from './call.ts';
import type { Row } from './row.ts';
import { sessionIn } from './whereabouts.ts';

/** The documentation uses the first, the agent the second. */
const PATHS = ['path', 'filepath'] as const;
const WRITERS: ReadonlySet<unknown> = new Set(['write', 'edit', 'multi-edit', 'multiedit']);
const FILE_TOOLS: ReadonlySet<unknown> = new Set(['read', ...WRITERS]);

export const result: Row = {
  write(load, event) {
    const { tool, args } = openCodeCallOf(event);
    return {
      input: { tool, sessionID: sessionIn(event), callID: event.ids.call ?? '', args },
      output: {
        title: load['title'] ?? '',
        output: contentText(load['content'], '\n'),
        metadata: metadataOf(load),
      },
    };
  },
  changes(after, shown, event): Effect[] | string {
    const { title, output, metadata } = after;
    if (typeof output !== 'string') return "the resulting 'output' is not a string";
    return [
      ...(title === shown['title'] ? [] : [set('title', String(title ?? ''))]),
      ...(output === shown['output'] ? [] : [set('content', withText(output, event))]),
      ...metadataChanges(metadata, shown['metadata'] as Fields),
    ];
  },
  read: ({ tool, args }, { title, output, metadata, attachments }) => ({
    tool: String(tool ?? ''),
    input: isPlain(args) ? args : {},
    content: [
      { type: 'text', text: String(output ?? '') },
      ...(Array.isArray(attachments) ? (attachments as unknown[]) : []),
    ],
    ...(typeof title === 'string' && { title }),
    ...(metadata !== undefined && { details: metadata }),
  }),
};

/** A throw after the tool makes the call fail with that message. */
export const failedResult = (message: string): Change[] => [
  set('content', [{ type: 'text', text: message }]),
  set('isError', true),
];

/** Parts other than text are kept after it. */
function withText(text: string, { payload }: Event): unknown[] {
  const { content } = payload as { content?: unknown };
  const rest = (Array.isArray(content) ? (content as unknown[]) : []).filter(
    (part) => !(isPlain(part) && typeof part['text'] === 'string'),
  );
  return [{ type: 'text', text }, ...rest];
}

export function metadataOf({ tool, input, details, content }: Fields): Fields {
  const native: Fields = isPlain(details) ? details : {};
  const named = FILE_TOOLS.has(tool) && isPlain(input) ? (input['path'] ?? input['filePath']) : undefined;
  const path = PATHS.map((key) => native[key]).find((value) => value !== undefined) ?? named;
  return {
    ...(path !== undefined && { path, filepath: path }),
    ...(tool === 'shell' && shellMetadata(native, content)),
    ...(WRITERS.has(tool) && changeMetadata(native, path)),
    ...native,
  };
}

/** OpenCode's metadata of a changed file, if the host provides a diff. */
function changeMetadata({ diff: patch }: Fields, file: unknown): Fields {
  if (typeof patch !== 'string') return {};
  const body = patch.slice(patch.indexOf('\n@@')); // lines of the header begin with the same characters
  const lines = (sign: string) => body.split(`\n${sign}`).length - 1;
  return { filediff: { file, patch, additions: lines('+'), deletions: lines('-') }, truncated: false };
}

/** OpenCode's metadata of a command, if the host provides it. */
function shellMetadata({ exitCode, outputFile }: Fields, content: unknown): Fields {
  if (typeof exitCode !== 'number') return {};
  return { output: contentText(content, '\n'), exit: exitCode, truncated: outputFile !== undefined };
}

/** Changing one of the two names changes both. */
function metadataChanges(after: unknown, shown: Fields): Change[] {
  const changes = diff('details', shown, after);
  const moved = changes.filter(({ at }) => (PATHS as readonly unknown[]).includes(at[1]));
  if (moved.length !== 1 || !('to' in moved[0]!)) return changes;
  const other = PATHS.find((key) => key !== moved[0]!.at[1])!;
  return Object.hasOwn(shown, other) ? [...changes, set('details', other, moved[0].to)] : changes;
}
