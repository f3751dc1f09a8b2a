/**
 * What a hook can hand over in place of what the agent would have made itself. Which of these an event takes is a column
 * of the table of events; like a payload, a gift's value is a function of zod, so that reading the table costs no import.
 */
import type { z as zod } from 'zod';

type Zod = typeof zod;
interface GiftRow<V extends zod.ZodType> {
  /** For the reference pages. */
  readonly is: string;
  readonly value: (z: Zod) => V;
}
const row = <V extends zod.ZodType>(r: GiftRow<V>): GiftRow<V> => r;

export const GIFTS = {
  message: row({
    is: 'a message for the model, put in before it answers',
    value: (z) =>
      z.union([
        z.string(),
        z.object({
          content: z.union([z.string(), z.array(z.unknown())]),
          customType: z.string().optional(),
          display: z.boolean().optional(),
          details: z.unknown().optional(),
        }),
      ]),
  }),
  compaction: row({
    is: 'the summary that replaces the history',
    value: (z) =>
      z.object({
        summary: z.string(),
        firstKeptEntryId: z.string().optional(),
        tokensBefore: z.number().optional(),
        details: z.unknown().optional(),
      }),
  }),
  summary: row({
    is: 'the summary of the branch that is left',
    value: (z) => z.union([z.string(), z.object({ summary: z.string(), details: z.unknown().optional() })]),
  }),
  title: row({ is: "the session's title", value: (z) => z.string() }),
  environment: row({
    is: 'variables with which the later commands of the session start; a later gift wins, name by name',
    value: (z) => z.record(z.string(), z.string()),
  }),
  rules: row({
    is: 'permission rules for later calls, as `shell(git status *)`, which come with an approval',
    value: (z) =>
      z.object({
        allow: z.array(z.string()).optional(),
        ask: z.array(z.string()).optional(),
        deny: z.array(z.string()).optional(),
        /** `session`, or whose settings shall keep them: `local`, `project`, `person`. */
        lasts: z.string().optional(),
      }),
  }),
  'skip-restore': row({
    is: 'whether the conversation stays as it is when the session branches',
    value: (z) => z.boolean(),
  }),
  preserve: row({
    is: 'what is kept beside the summary',
    value: (z) => z.record(z.string(), z.unknown()),
  }),
  response: row({
    is: 'the answer to the request, which then does not go out',
    value: (z) =>
      z.object({
        status: z.number().int().min(200).max(599).optional(),
        headers: z.record(z.string(), z.string()).optional(),
        body: z.unknown().optional(),
      }),
  }),
} as const;

export type Gift = keyof typeof GIFTS;
export type GiftValue<G extends Gift> = zod.infer<ReturnType<(typeof GIFTS)[G]['value']>>;
export const isGift = (what: string): what is Gift => Object.hasOwn(GIFTS, what);
