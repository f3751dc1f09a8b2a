import { NoModel } from './no-model.ts';

/** Tokens a model can see, as a guess by its name; `ANYHOOK_CONTEXT_TOKENS` or the script knows better. */
const KNOWN: readonly (readonly [RegExp, number])[] = [
  [/^claude/, 200_000],
  [/^gpt-4\.1/, 1_047_576],
  [/^gpt-5/, 400_000],
  [/^o[134]/, 200_000],
  [/^gpt-/, 128_000],
  [/^/, 32_768],
];

/** The script's or the person's word first: nobody can know every model. */
export function contextTokensOf(
  { id, contextTokens }: { readonly id: string; readonly contextTokens?: number | undefined },
  env: Readonly<Record<string, string | undefined>>,
): number {
  const said = env['ANYHOOK_CONTEXT_TOKENS'];
  if (said) {
    const tokens = Number(said);
    if (Number.isInteger(tokens) && tokens > 0) return tokens;
    throw new NoModel(`ANYHOOK_CONTEXT_TOKENS is '${said}': it must be a whole number above 0, as 128000.`);
  }
  return contextTokens ?? KNOWN.find(([pattern]) => pattern.test(id))![1];
}
