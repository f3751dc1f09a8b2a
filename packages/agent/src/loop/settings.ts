/** The settings of the agent. The user's file may set everything; a project's file may only make the agent stricter. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import { z } from 'zod';
import { type Mode, readRule, STRICTER } from './rules.ts';
import { compileRule } from './stream-rules.ts';

const rule = z.string().superRefine((text, context) => {
  try {
    readRule(text);
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message });
  }
});
const pattern = z
  .string()
  .max(512)
  .superRefine((text, context) => {
    try {
      compileRule(text);
    } catch (error) {
      context.addIssue({ code: 'custom', message: (error as Error).message });
    }
  });
const shape = z.strictObject({
  $schema: z.string().optional(),
  model: z.string().optional(),
  /** The judge for prompt hooks. Default: the model of the session. */
  hookModel: z.string().optional(),
  /** The model for titles and summaries. Default: the model of the session. */
  smallModel: z.string().optional(),
  permission: z
    .strictObject({
      mode: z.enum(['ask', 'allow', 'deny']).optional(),
      allow: z.array(rule).optional(),
      ask: z.array(rule).optional(),
      deny: z.array(rule).optional(),
    })
    .optional(),
  streamRules: z
    .array(z.strictObject({ name: z.string().optional(), pattern, text: z.string().min(1) }))
    .optional(),
  compaction: z
    .strictObject({
      /** Share of the context window at which compaction starts; `false` disables it. */
      threshold: z.union([z.number().min(0.1).max(0.95), z.literal(false)]).optional(),
      /** Approximate number of recent tokens that stay unchanged. */
      keepTokens: z.int().min(0).max(200_000).optional(),
    })
    .optional(),
  retry: z
    .strictObject({
      attempts: z.int().min(0).max(10).optional(),
      firstDelayMs: z.int().min(0).max(60_000).optional(),
    })
    .optional(),
  judge: z
    .strictObject({
      timeoutMs: z.int().min(100).max(600_000).optional(),
      maxCalls: z.int().min(0).optional(),
    })
    .optional(),
  maxTurns: z.int().min(1).optional(),
  /** Add a line for the model when a hook changed its call or a result. */
  markChanges: z.boolean().optional(),
});
export type SettingsFile = z.infer<typeof shape>;

export interface Settings {
  readonly model?: string;
  readonly hookModel?: string;
  readonly smallModel?: string;
  readonly permission: {
    readonly mode: Mode;
    readonly allow: readonly string[];
    readonly ask: readonly string[];
    readonly deny: readonly string[];
  };
  readonly streamRules: readonly {
    readonly name?: string | undefined;
    readonly pattern: string;
    readonly text: string;
  }[];
  readonly compaction: { readonly threshold: number | false; readonly keepTokens: number };
  readonly retry: { readonly attempts: number; readonly firstDelayMs: number };
  readonly judge: { readonly timeoutMs: number; readonly maxCalls: number };
  readonly maxTurns: number;
  readonly markChanges: boolean;
}

export const DEFAULTS: Settings = {
  permission: { mode: 'ask', allow: [], ask: [], deny: [] },
  streamRules: [],
  compaction: { threshold: 0.8, keepTokens: 20_000 },
  retry: { attempts: 3, firstDelayMs: 1000 },
  judge: { timeoutMs: 30_000, maxCalls: 200 },
  maxTurns: 200,
  markChanges: true,
};

/** Invalid settings files, with the location of every error. */
export class BadSettings extends Error {
  override readonly name = 'BadSettings';
}
export interface ReadSettings {
  readonly settings: Settings;
  /** Project settings that were ignored, and why. */
  readonly notices: readonly string[];
}

export function readSettings(where: {
  readonly home: string;
  readonly cwd: string;
  readonly config?: string;
}): ReadSettings {
  const own = read(join(where.config ?? join(where.home, '.config'), 'anyhook-agent', 'settings.json'));
  const projectFile = join(where.cwd, '.anyhook', 'agent.json');
  const settings = laid(DEFAULTS, own);
  const { tightened, notices } = tightenedBy(settings, read(projectFile), projectFile);
  return { settings: tightened, notices };
}

/** Applies a settings file on top of other settings. */
export const laid = (base: Settings, file: SettingsFile): Settings =>
  ({
    ...base,
    ...defined(file),
    permission: { ...base.permission, ...defined(file.permission ?? {}) },
    compaction: { ...base.compaction, ...defined(file.compaction ?? {}) },
    retry: { ...base.retry, ...defined(file.retry ?? {}) },
    judge: { ...base.judge, ...defined(file.judge ?? {}) },
  }) as Settings; // undefined values are dropped above.

/**
 * Applies the settings of a project, trusted or not. A project may deny more, ask more, add stream rules and lower
 * limits. It may not approve calls or change where the conversation is sent.
 */
export function tightenedBy(
  base: Settings,
  file_: SettingsFile,
  file: string,
): { tightened: Settings; notices: string[] } {
  const notices: string[] = [];
  const refuse = (what: string) =>
    notices.push(`${file}: ${what} is only for your own settings; it is not used.`);
  for (const key of ['model', 'hookModel', 'smallModel', 'retry', 'judge', 'markChanges'] as const)
    if (file_[key] !== undefined) refuse(`'${key}'`);
  if ((file_.permission?.allow ?? []).length > 0) refuse("'permission.allow'");
  const mode = file_.permission?.mode ?? base.permission.mode;
  if (STRICTER[mode] < STRICTER[base.permission.mode])
    refuse(`'permission.mode: ${mode}', which is less strict than '${base.permission.mode}',`);
  return {
    notices,
    tightened: {
      ...base,
      permission: {
        mode: STRICTER[mode] < STRICTER[base.permission.mode] ? base.permission.mode : mode,
        allow: base.permission.allow,
        ask: [...base.permission.ask, ...(file_.permission?.ask ?? [])],
        deny: [...base.permission.deny, ...(file_.permission?.deny ?? [])],
      },
      streamRules: [...base.streamRules, ...(file_.streamRules ?? [])],
      compaction: { ...base.compaction, ...defined(file_.compaction ?? {}) } as Settings['compaction'],
      maxTurns: Math.min(base.maxTurns, file_.maxTurns ?? Infinity),
    },
  };
}

/** Validates one setting from any source. */
export function readPart(
  key: keyof SettingsFile,
  value: unknown,
): { readonly value: unknown } | { readonly fault: string } {
  const read = shape.shape[key].safeParse(value);
  return read.success ? { value: read.data } : { fault: read.error.issues.map(faultOf).join('; ') };
}
const faultOf = ({ path, message }: { readonly path: readonly PropertyKey[]; readonly message: string }) =>
  path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`;

function read(file: string): SettingsFile {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return {};
    throw new BadSettings(`${file}: cannot be read (${message}). Check its rights.`, { cause: error });
  }
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined)
    throw new BadSettings(
      `${file}:${lineAt(text, first.offset)}: ${printParseErrorCode(first.error)}. It is JSON, comments are allowed.`,
    );
  const result = shape.safeParse(value ?? {});
  if (result.success) return result.data;
  throw new BadSettings(faults(result.error, file));
}

const faults = (error: z.ZodError, where: string): string =>
  error.issues.map(({ path, message }) => `${where}: ${path.join('.') || 'the file'}: ${message}`).join('\n');
const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;
const defined = <T extends object>(value: T): Partial<T> =>
  Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as Partial<T>;
