/** The environment of commands as Claude Code sets it. */

import { isPlain } from '../../../events/changes.ts';
import type { Event } from '../../../events/event.ts';
import type { Hook } from '../../../events/hook.ts';

/** Variables of the session are passed, except for its telemetry. */
export const CLAUDE_VARIABLES = ['*', '!OTEL_*'] as const;

export function variablesOf({ ids, scene, raw }: Event, { run }: Hook): Record<string, string> {
  const effort = isPlain(raw) && isPlain(raw['effort']) ? raw['effort']['level'] : undefined;
  const isTold = run.kind === 'command' && run.set?.['CLAUDE_PROJECT_DIR'] !== undefined;
  return {
    CLAUDECODE: '1',
    CLAUDE_CODE_CHILD_SESSION: '1',
    ...(ids.session !== '' && { CLAUDE_CODE_SESSION_ID: ids.session }),
    ...(typeof effort === 'string' && { CLAUDE_EFFORT: effort }),
    // The folder in which the session began, known from the location of the settings file. The folder of the event
    // changes with `cd`.
    ...(!isTold && { CLAUDE_PROJECT_DIR: scene.cwd }),
  };
}
