import type { Dialect } from '../../../events/dialect.ts';
import type { Event } from '../../../events/event.ts';
import type { Request } from '../../../events/exchange.ts';
import { FAILED_RESULT } from '../../../events/failed-result.ts';
import type { Hook } from '../../../events/hook.ts';
import { can } from '../../claude-code/dialect/can.ts';
import { words } from '../../claude-code/dialect/names.ts';
import { documentOf, payload as kin } from '../../claude-code/dialect/payload.ts';
import { tools } from '../../claude-code/dialect/tools.ts';
import type { HookContext } from './hook-callback.ts';
import type { HookEvent } from './hook-event.ts';
import { output } from './output.ts';
import { failure, sharing } from './sharing.ts';

/** A callback receives `(input, toolUseId, context)`. The signal is added to the context when it is called. */
const payload = { write, read: kin.read };

function write(event: Event, hook: Hook): Request {
  const document = documentOf(event, hook.on as HookEvent); // hooks of this dialect only have events of this dialect
  const input: unknown = JSON.parse(JSON.stringify(document)); // a copy, because a callback may change it
  return { kind: 'call', args: [input, event.ids.call ?? null, contextOf(event)] };
}

const contextOf = ({ ids, scene }: Event): Omit<HookContext, 'signal'> => ({
  sessionId: ids.session || null,
  transcriptPath: scene.transcript || null,
  cwd: scene.cwd || null,
  permissionMode: scene.mode ?? null,
});

/** Callbacks come from code, and no settings file is read. */
const config: Dialect['config'] = {
  places: () => [],
  read: () => ({ hooks: [], modules: [], problems: [] }),
};

export const claudeAgentSdk: Dialect<'claude-agent-sdk'> = {
  name: 'claude-agent-sdk',
  words,
  hooksAreCode: true,
  substitutes: { 'tool.after': FAILED_RESULT },
  tools,
  projectVariable: 'CLAUDE_PROJECT_DIR',
  sharing,
  failure,
  allowSkipsOwnQuestions: true,
  can,
  config,
  payload,
  output,
};
