import type { PermitRequest, Services } from '../../canon/services.ts';
import type { Plugins } from './plugins.ts';

/** A tool's own question of permission, put to every plugin's `permission.ask` in the shape of OpenCode's. */
export async function askPlugins(
  plugins: Plugins,
  { permission, patterns, metadata, session, call }: PermitRequest,
): ReturnType<NonNullable<Services['permit']>> {
  const input = {
    id: `per_${call ?? session}`,
    type: permission,
    pattern: patterns,
    sessionID: session,
    messageID: '',
    ...(call !== undefined && { callID: call }),
    title: patterns.length === 0 ? permission : `${permission}: ${patterns.join(', ')}`,
    metadata,
    time: { created: Date.now() },
    tool: permission,
    args: metadata,
  };
  const { status } = await plugins.trigger('permission.ask', input, { status: 'ask' });
  if (status === 'deny') return { proceed: 'no', reason: `a plugin refused ${input.title}` };
  return { proceed: status === 'allow' ? 'yes' : 'ask' };
}
