/** Payload fields that only Codex sends, or that it sends even if they are empty. */

import type { Fields } from '../../../events/effects.ts';

export function write(word: string, document: Fields): Fields {
  const {
    session_id,
    transcript_path,
    cwd,
    hook_event_name,
    model,
    permission_mode: mode,
    ...rest
  } = document;
  const isOfTurn = word !== 'SessionStart' && word !== 'SessionEnd';
  const hasMode = !word.endsWith('Compact') && word !== 'SessionEnd' && !word.endsWith('ModelRequest');
  return {
    session_id,
    ...(isOfTurn && { turn_id: session_id }),
    transcript_path: transcript_path ?? null,
    cwd,
    hook_event_name,
    model: model ?? '',
    ...(hasMode && { permission_mode: mode === 'bypassPermissions' ? mode : 'default' }),
    ...(/^(?:Pre|Post)ToolUse$/.test(word) && { tool_use_id: '' }),
    ...(/^(?:Subagent)?Stop$/.test(word) && { last_assistant_message: null }),
    ...(word === 'SubagentStop' && { agent_transcript_path: null }),
    ...rest,
  };
}

export const read = (native: Fields): Fields => native;
