/**
 * Converts the offers of an isolated plugin back to OpenCode's format, so that `plugins.tools` and `plugins.auth` look
 * the same.
 */

import type { Credential, LoginDone, LoginMethod, OfferedAuth, OfferedTool } from '../../../events/offers.ts';
import type { AnyToolDefinition, AuthHook, AuthMethod, OAuthCredentials } from './types/index.ts';

/** Its arguments are JSON Schema per field, and are checked in the plugin's process. */
export const toolOver = ({ description, parameters, execute }: OfferedTool): AnyToolDefinition => ({
  description,
  args: parameters['properties'] ?? {},
  async execute(args, context) {
    const { sessionID: session, messageID: message, agent, directory: cwd, abort: signal } = context;
    const { title, output, metadata } = await execute(args as never, {
      session,
      message,
      agent,
      cwd,
      signal,
      progress: (update) => context.metadata({ ...update }),
    });
    return { output, ...(title !== undefined && { title }), ...(metadata !== undefined && { metadata }) };
  },
});

export const authOver = ({ provider, methods, load }: OfferedAuth): AuthHook => ({
  provider,
  methods: methods.map(methodOver),
  ...(load !== undefined && {
    loader: (auth, about) => load(async () => (await auth()) as Credential, { ...about }),
  }),
});

/** A host asks the questions through `offers`. Their rules are not converted back to synchronous functions. */
function methodOver({ kind, label, start, accept }: LoginMethod): AuthMethod {
  if (kind === 'api')
    return {
      type: 'api',
      label,
      ...(accept !== undefined && {
        authorize: async (inputs = {}) => {
          const done = credentialsOf(await accept(inputs));
          return 'key' in done ? done : { type: 'failed' };
        },
      }),
    };
  return {
    type: 'oauth',
    label,
    async authorize(inputs = {}) {
      if (start === undefined) throw new Error(`${label} cannot be started`);
      const { url, instructions, way, finish } = await start(inputs);
      const callback = async (code?: string) => credentialsOf(await finish(code));
      return { url, instructions, method: way, callback };
    },
  };
}

function credentialsOf(done: LoginDone | undefined): OAuthCredentials {
  if (done === undefined || done.credential.type === 'wellknown') return { type: 'failed' };
  const { type: _type, ...credential } = done.credential;
  return { type: 'success', ...(done.provider !== undefined && { provider: done.provider }), ...credential };
}
