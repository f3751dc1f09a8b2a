/** What an isolated plugin offers, in OpenCode's own terms again: `plugins.tools` and `plugins.auth` look the same. */
import type { Credential, LoginDone, LoginMethod, OfferedAuth, OfferedTool } from '../../../events/offers.ts';
import type { AnyToolDefinition, AuthHook, AuthMethod, OAuthCredentials } from './types/index.ts';

/** Its arguments are JSON Schema by now, field by field; they are checked over there. */
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

/** Questions are asked by a host, through `offers`: their rules do not come back as functions that answer at once. */
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
