import type { HookContext } from '../../dialects/claude-agent-sdk/hook-callback.ts';

type KnownContext = Omit<HookContext, 'signal'>;

/** Field of the context → where the input says it. */
const SAID: Readonly<Record<keyof KnownContext, string>> = {
  sessionId: 'session_id',
  transcriptPath: 'transcript_path',
  cwd: 'cwd',
  permissionMode: 'permission_mode',
};

/** What the caller knows, else what the input says, else null: never undefined. */
export function callbackContext(
  input: Readonly<Record<string, unknown>>,
  given: Partial<KnownContext>,
  signal: AbortSignal,
): HookContext {
  const known = (Object.keys(SAID) as (keyof KnownContext)[]).map((field) => {
    const said = given[field] ?? input[SAID[field]];
    return [field, typeof said === 'string' ? said : null] as const;
  });
  return { signal, ...(Object.fromEntries(known) as Record<keyof KnownContext, string | null>) };
}
