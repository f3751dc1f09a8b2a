import { z } from 'zod';
import { OPTA_LONGEST_MS, SHORTEST_MS } from '../dialect/definition.ts';
import { OPTA_EVENTS } from '../dialect/names.ts';

const common = {
  event: z.enum(OPTA_EVENTS),
  matcher: z.string().optional(),
  timeout: z.number().min(SHORTEST_MS).max(OPTA_LONGEST_MS).optional(),
  background: z.boolean().optional(),
  statusMessage: z.string().optional(),
  onFailure: z.enum(['allow', 'ask', 'block']).optional(),
};
const command = z.object({
  ...common,
  command: z.string(),
  type: z.literal('command').optional(),
  protocol: z.literal('json').optional(),
});
const prompt = z.object({ ...common, type: z.literal('prompt'), prompt: z.string() });

/** Discriminated by `type`, so that an error names the invalid field instead of "some member of a union". */
export const HookDefinitionSchema = z.discriminatedUnion('type', [command, prompt]);

/** Only `hooks` is ours; every other key of the file is kept. */
export const OptaConfigSchema = z.looseObject({ hooks: z.array(HookDefinitionSchema).default([]) });
