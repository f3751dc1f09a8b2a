/** Converts a plugin's `auth` hook to the host's format. */

import type { Origin } from '../../../../events/hook.ts';
import type { LoginDone, LoginMethod, LoginPrompt, OfferedAuth } from '../../../../events/offers.ts';
import type { ApiResult, AuthHook, AuthMethod, AuthPrompt, OAuthCredentials } from '../types/index.ts';

/** Throws a TypeError that describes an invalid hook. */
export function offeredAuth(hook: AuthHook, origin: Origin): OfferedAuth {
  if (typeof hook !== 'object' || hook === null || typeof hook.provider !== 'string' || hook.provider === '')
    throw new TypeError("auth.provider must name the provider that the login is for, such as 'openai'");
  if (!Array.isArray(hook.methods)) throw new TypeError('auth.methods must be a list of ways to log in');
  const { loader } = hook;
  return {
    provider: hook.provider,
    origin,
    methods: hook.methods.map(loginMethod),
    ...(loader !== undefined && {
      async load(credential, provider) {
        if ((await credential()) === undefined) return {}; // without a login there is nothing to create options from
        const auth = async () => {
          const stored = await credential();
          if (stored === undefined) throw new Error(`you are no longer logged in to ${hook.provider}`);
          return stored;
        };
        return (await loader.call(hook, auth as never, provider as never)) ?? {};
      },
    }),
  };
}

function loginMethod(method: AuthMethod, index: number): LoginMethod {
  const at = `auth.methods[${index}]`;
  if (method?.type !== 'api' && method?.type !== 'oauth')
    throw new TypeError(
      `${at}.type must be 'api' or 'oauth', not ${JSON.stringify((method as { type?: unknown })?.type)}`,
    );
  if (typeof method.label !== 'string') throw new TypeError(`${at}.label must describe the choice`);
  const prompts = (method.prompts ?? []).map((prompt, position) =>
    loginPrompt(prompt, `${at}.prompts[${position}]`),
  );
  if (method.type === 'oauth') {
    if (typeof method.authorize !== 'function') throw new TypeError(`${at}.authorize must be a function`);
    return { kind: 'oauth', label: method.label, prompts, start: (answers) => start(method, answers) };
  }
  return {
    kind: 'api',
    label: method.label,
    prompts,
    ...(method.authorize !== undefined && {
      accept: async (answers) => done(await method.authorize!({ ...answers })),
    }),
  };
}

function loginPrompt(prompt: AuthPrompt, at: string): LoginPrompt {
  const isAsked = async (answers: Readonly<Record<string, string>>) => asks(prompt, answers);
  const { key, message } = prompt;
  if (prompt.type === 'select') {
    if (!Array.isArray(prompt.options) || prompt.options.length === 0)
      throw new TypeError(`${at}.options must be a list with at least one choice`);
    const options = prompt.options.map(({ label, value, hint }) => ({
      label,
      value,
      ...(hint !== undefined && { hint }),
    }));
    return { kind: 'select', key, message, options, isAsked };
  }
  if (prompt.type !== 'text')
    throw new TypeError(
      `${at}.type must be 'text' or 'select', not ${JSON.stringify((prompt as { type: unknown }).type)}`,
    );
  const { placeholder } = prompt;
  return {
    kind: 'text',
    key,
    message,
    ...(placeholder !== undefined && { placeholder }),
    validate: async (value) => prompt.validate?.(value),
    isAsked,
  };
}

/** Both spellings must match. A rule about an unanswered question does not match. */
function asks({ when, condition }: AuthPrompt, answers: Readonly<Record<string, string>>): boolean {
  if (when !== undefined) {
    const answer = answers[when.key];
    if (answer === undefined || (answer === when.value) !== (when.op === 'eq')) return false;
  }
  return condition === undefined || condition({ ...answers });
}

async function start(
  method: Extract<AuthMethod, { type: 'oauth' }>,
  answers: Readonly<Record<string, string>>,
): ReturnType<NonNullable<LoginMethod['start']>> {
  const begun = await method.authorize({ ...answers });
  return {
    url: begun.url,
    instructions: begun.instructions,
    way: begun.method,
    async finish(code) {
      if (begun.method === 'auto') return done(await begun.callback());
      if (code === undefined) throw new TypeError('this login needs the code that the page shows');
      return done(await begun.callback(code));
    },
  };
}

/** Undefined: the plugin reported a failure. */
function done(result: OAuthCredentials | ApiResult): LoginDone | undefined {
  if (result?.type !== 'success') return undefined;
  const named = result.provider === undefined ? {} : { provider: result.provider };
  if ('key' in result) {
    const { key, metadata } = result;
    return { ...named, credential: { type: 'api', key, ...(metadata !== undefined && { metadata }) } };
  }
  const { refresh, access, expires, accountId, enterpriseUrl } = result;
  return {
    ...named,
    credential: {
      type: 'oauth',
      refresh,
      access,
      expires,
      ...(accountId !== undefined && { accountId }),
      ...(enterpriseUrl !== undefined && { enterpriseUrl }),
    },
  };
}
