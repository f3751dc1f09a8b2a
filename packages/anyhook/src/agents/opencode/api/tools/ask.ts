/** `context.ask` of a plugin's tool: hooks on permissions are asked first, as for any tool, and then the person. */
import { type Services, ServiceMissing } from '../../../../events/services.ts';
import { ANY_TEXT, fitsWildcard, isLetter } from '../../../../events/wildcard.ts';
import type { AskInput } from '../types/index.ts';

export type Ask = (
  request: AskInput,
  scene: { readonly session: string; readonly call?: string; readonly signal: AbortSignal },
) => Promise<void>;

const ONCE = 'Allow once';
const ALWAYS = 'Always allow in this session';
const REJECT = 'Reject';

/** Rejects when the answer is no, when there is none, and where nobody can be asked. */
export function askPerson({ ui, permit }: Services): Ask {
  const always = new Map<string, ReturnType<typeof wildcard>[]>();
  return async (request, scene) => {
    const { session, call, signal } = scene;
    const { permission, patterns = [], metadata = {} } = request;
    const key = `${session}\n${permission}`;
    const known = always.get(key) ?? [];
    if (patterns.length > 0 && patterns.every((pattern) => known.some((fits) => fits(pattern)))) return;
    const named = { permission, patterns, metadata, session, ...(call !== undefined && { call }) };
    const said = await permit?.(named, signal);
    if (said?.proceed === 'no') throw new Error(said.reason ?? `a hook refused ${permission}`);
    if (said?.proceed === 'yes') return;
    if (ui === undefined) throw new ServiceMissing('ui', `the permission '${permission}'`);
    const what = patterns.length === 0 ? permission : `${permission}: ${patterns.join(', ')}`;
    const answer = await ui.select(`Allow ${what}?`, [ONCE, ALWAYS, REJECT], signal);
    if (answer === ALWAYS) always.set(key, [...known, ...(request.always ?? []).map(wildcard)]);
    if (answer !== ONCE && answer !== ALWAYS) throw new Error(`The person rejected ${what}`);
  };
}

/** `*` is any text, `?` one character. */
function wildcard(pattern: string): (text: string) => boolean {
  const parts = pattern
    .split('')
    .map((one) => (one === '*' ? ANY_TEXT : one === '?' ? () => true : isLetter(one)));
  return (text) => fitsWildcard(parts, text);
}
