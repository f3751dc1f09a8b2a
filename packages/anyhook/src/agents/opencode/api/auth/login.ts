/** Runs a complete login with the host's dialogs, for any plugin. */

import type { LoginDone, LoginMethod, OfferedAuth } from '../../../../events/offers.ts';
import { nearest } from '../../../../events/problems.ts';
import type { Dialogs } from '../../../../events/services.ts';
import { NEVER } from '../../../../events/signal.ts';
import { thrownText } from '../../../../events/thrown.ts';
import { answersTo, type Answers, LoginCancelled } from './answers.ts';
import type { CredentialStore } from './store.ts';

export interface LoginTerms {
  readonly offers: readonly OfferedAuth[];
  readonly provider: string;
  /** The label of one of its methods. If there are several, the user chooses. */
  readonly method?: string;
  readonly dialogs: Dialogs;
  readonly store: CredentialStore;
  readonly signal?: AbortSignal;
}
export type LoginResult =
  | { readonly kind: 'logged-in'; readonly provider: string }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly why: string };

/** Never rejects, and stores nothing unless the login succeeds. */
export async function login(terms: LoginTerms): Promise<LoginResult> {
  try {
    const offer = chooseOffer(terms);
    const method = await chooseMethod(offer, terms);
    const answers = await answersTo(method.prompts, terms.dialogs, terms.signal);
    const done = await LOGIN_FLOWS[method.kind](method, answers, terms);
    if (done === undefined)
      return failed(terms, `${method.label} was refused: try again, or check the account`);
    const provider = done.provider ?? offer.provider;
    await terms.store.set(provider, done.credential);
    terms.dialogs.notify(`Logged in to ${provider}.`, 'info');
    return { kind: 'logged-in', provider };
  } catch (error) {
    if (error instanceof LoginCancelled || terms.signal?.aborted === true) return { kind: 'cancelled' };
    return failed(terms, thrownText(error));
  }
}

function failed({ dialogs, provider }: LoginTerms, why: string): LoginResult {
  dialogs.notify(`Login to ${provider} failed: ${why}`, 'error');
  return { kind: 'failed', why };
}

/** The last plugin for a provider wins, as in OpenCode. */
function chooseOffer({ offers, provider }: LoginTerms): OfferedAuth {
  const found = offers.findLast((offer) => offer.provider === provider);
  if (found !== undefined) return found;
  const known = [...new Set(offers.map((offer) => offer.provider))];
  const near = nearest(provider, known);
  throw new Error(
    `no plugin offers a login for '${provider}'${near === undefined ? '' : `; did you mean '${near}'?`} ` +
      `(offered: ${known.join(', ') || 'none'})`,
  );
}

async function chooseMethod({ methods, provider }: OfferedAuth, terms: LoginTerms): Promise<LoginMethod> {
  const labels = methods.map(({ label }) => label);
  if (methods.length === 0) throw new Error(`the plugin for '${provider}' offers no way to log in`);
  const wanted =
    terms.method ??
    (methods.length === 1
      ? labels[0]
      : await terms.dialogs.select(`Log in to ${provider}`, labels, terms.signal));
  if (wanted === undefined) throw new LoginCancelled();
  const found = methods.find(({ label }) => label === wanted);
  if (found !== undefined) return found;
  throw new Error(`'${provider}' has no method '${wanted}' (it has: ${labels.join(', ')})`);
}

type LoginFlow = (method: LoginMethod, answers: Answers, terms: LoginTerms) => Promise<LoginDone | undefined>;

const LOGIN_FLOWS: Record<LoginMethod['kind'], LoginFlow> = {
  async api(method, answers, { dialogs, signal }) {
    if (method.accept !== undefined) return method.accept(answers);
    const key = (await dialogs.input(`${method.label}: API key`, undefined, signal))?.trim();
    if (key === undefined) throw new LoginCancelled();
    if (key === '') throw new Error('the key is empty');
    const metadata = Object.keys(answers).length === 0 ? {} : { metadata: answers };
    return { credential: { type: 'api', key, ...metadata } };
  },
  async oauth(method, answers, { dialogs, signal = NEVER }) {
    const started = await untilAborted(method.start!(answers), signal);
    dialogs.notify(`${started.instructions}\nOpen this page: ${started.url}`, 'info');
    if (started.way === 'auto') return untilAborted(started.finish(), signal);
    const code = await dialogs.input('The code that the page shows', undefined, signal);
    if (code === undefined) throw new LoginCancelled();
    return untilAborted(started.finish(code.trim()), signal);
  },
};

async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(new LoginCancelled());
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
