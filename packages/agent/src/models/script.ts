/** The file format of a scripted model. */

import { LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { NoModel } from './no-model.ts';

const step = z.strictObject({
  thinking: z.string().optional(),
  text: z.string().optional(),
  calls: z
    .array(z.strictObject({ tool: z.string().min(1), input: z.record(z.string(), z.unknown()).default({}) }))
    .min(1)
    .optional(),
  /** Return a provider error instead of an answer. */
  error: z
    .strictObject({
      status: z.int().min(400).max(599),
      message: z.string(),
      retryAfterMs: z.number().min(0).optional(),
    })
    .optional(),
  /** Lose the connection after the content of this step. */
  cut: z.boolean().optional(),
  usage: z.strictObject({ input: z.int().min(0), output: z.int().min(0) }).optional(),
  /** Play this step only when all conditions hold. */
  when: z
    .strictObject({
      /** Text in the messages since the last model answer: user, tool results, hook context. */
      lastIncludes: z.string().optional(),
      lastLacks: z.string().optional(),
      /** Text anywhere in the request, including the system prompt. */
      anyIncludes: z.string().optional(),
      anyLacks: z.string().optional(),
    })
    .optional(),
  /** Keep the step and play it whenever `when` holds. */
  repeat: z.boolean().optional(),
  /** Delay before the first piece. */
  delayMs: z.number().min(0).optional(),
  /** Delay between two pieces of the stream. */
  pieceMs: z.number().min(0).optional(),
});
const steps = z.array(step);
const scriptSchema = z.union([
  steps.transform((main) => ({ tracks: { main } as Record<string, Step[]> })),
  z.strictObject({
    model: z.string().optional(),
    contextTokens: z.int().min(1).optional(),
    tracks: z.record(z.string().regex(/^(main|summary|title|judge|task(:.+)?)$/), steps),
  }),
]);

export type Step = z.infer<typeof step>;
export interface Script {
  readonly file: string;
  readonly model?: string | undefined;
  readonly contextTokens?: number | undefined;
  readonly tracks: Readonly<Record<string, readonly Step[]>>;
}

/** Reads YAML, which includes JSON. Throws `NoModel` with the line and column of every error. */
export function readScript(text: string, file: string): Script {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const place = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  if (document.errors.length > 0)
    throw new NoModel(document.errors.map(({ pos, message }) => `${place(pos[0])}: ${message}`).join('\n'));
  const value: unknown = document.toJS();
  // The error of a union would not name the fault, so validate the matching member.
  const shape = Array.isArray(value) ? scriptSchema.options[0] : scriptSchema.options[1];
  const read = shape.safeParse(value);
  if (read.success) return { file, ...read.data };
  const faults = read.error.issues.map(({ path, message }) => {
    const where = path.filter((part): part is string | number => typeof part !== 'symbol');
    return `${place(positionOf(document, where))}: ${where.join('.') || 'the script'}: ${message}`;
  });
  throw new NoModel(faults.join('\n'));
}

/** Position of the value, or of its nearest existing parent. */
function positionOf(document: ReturnType<typeof parseDocument>, path: readonly (string | number)[]): number {
  for (let depth = path.length; depth >= 0; depth--) {
    const node = depth === 0 ? document.contents : document.getIn(path.slice(0, depth), true);
    const range = (node as { range?: readonly number[] | null } | null | undefined)?.range;
    if (range?.[0] !== undefined) return range[0];
  }
  return 0;
}
