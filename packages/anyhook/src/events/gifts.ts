/**
 * Values that a hook can supply in place of the agent's own. The table of events lists the gifts of each
 * event. Like a payload, a gift is a function of zod, so that reading the table does not load zod.
 */

import type { z as zod } from 'zod';

type Zod = typeof zod;
interface GiftRow<V extends zod.ZodType> {
  /** Description for the reference pages. */
  readonly is: string;
  readonly value: (z: Zod) => V;
}
const row = <V extends zod.ZodType>(r: GiftRow<V>): GiftRow<V> => r;

export const GIFTS = {
  message: row({
    is: 'a message for the model, inserted before it answers',
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
    is: 'environment variables for later commands of the session; for each name, the last gift wins',
    value: (z) => z.record(z.string(), z.string()),
  }),
  rules: row({
    is: 'permission rules for later calls, such as `shell(git status *)`, given with an approval',
    value: (z) =>
      z.object({
        allow: z.array(z.string()).optional(),
        ask: z.array(z.string()).optional(),
        deny: z.array(z.string()).optional(),
        /** `session`, or the settings that store the rules: `local`, `project`, `person`. */
        lasts: z.string().optional(),
      }),
  }),
  'skip-restore': row({
    is: 'whether the conversation stays as it is when the session branches',
    value: (z) => z.boolean(),
  }),
  preserve: row({
    is: 'data to keep next to the summary',
    value: (z) => z.record(z.string(), z.unknown()),
  }),
  response: row({
    is: 'the response to the request, which is then not sent',
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
