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

/** Told apart by `type`, so that an error names the field that is wrong and not "some member of a union". */
export const HookDefinitionSchema = z.discriminatedUnion('type', [command, prompt]);

/** Only `hooks` is ours; every other key of the file stays as it is. */
export const OptaConfigSchema = z.looseObject({ hooks: z.array(HookDefinitionSchema).default([]) });
