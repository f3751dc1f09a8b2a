/** A plugin's `auth` hook in a host's terms. */
import type { Origin } from '../../../canon/hook.ts';
import type { LoginDone, LoginMethod, OfferedAuth } from '../../../canon/offers.ts';
import type { ApiResult, AuthHook, AuthMethod, OAuthCredentials } from '../types/index.ts';
import { loginPrompt } from './login-prompt.ts';

/** Throws a TypeError that says what is wrong with the hook. */
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
        if ((await credential()) === undefined) return {}; // nobody has logged in: nothing to make options from
        const auth = async () => {
          const stored = await credential();
          if (stored === undefined) throw new Error(`nobody is logged in to ${hook.provider} any more`);
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
  if (typeof method.label !== 'string') throw new TypeError(`${at}.label must say what the person chooses`);
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

/** Undefined: the plugin says that it failed. */
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
