/** Handles `canUseTool`: the CLI asks over the control channel whether a call is allowed. */

import type { LooseFields } from './frame.ts';
import type { ProtocolOptions } from './protocol.ts';

export interface PermissionAsked {
  readonly signal: AbortSignal;
  readonly toolUseID: string;
  readonly suggestions?: unknown[];
  readonly blockedPath?: string;
  readonly decisionReason?: string;
  readonly title?: string;
  readonly displayName?: string;
  readonly description?: string;
  readonly agentID?: string;
}
export type PermissionAnswer =
  | {
      readonly behavior: 'allow';
      readonly updatedInput?: LooseFields;
      readonly updatedPermissions?: unknown[];
    }
  | { readonly behavior: 'deny'; readonly message: string; readonly interrupt?: boolean };

/** Method syntax, so that a callback with the published type `CanUseTool` is accepted. */
export type CanUseTool = {
  asked(tool: string, input: Record<string, unknown>, about: never): Promise<PermissionAnswer | null>;
}['asked'];

/** Field names in the frame and in the callback's options. */
const FIELDS: Readonly<Record<string, keyof PermissionAsked>> = {
  tool_use_id: 'toolUseID',
  permission_suggestions: 'suggestions',
  blocked_path: 'blockedPath',
  decision_reason: 'decisionReason',
  title: 'title',
  display_name: 'displayName',
  description: 'description',
  agent_id: 'agentID',
};

export const permissionRequests = (canUseTool: CanUseTool): NonNullable<ProtocolOptions['requests']> => ({
  async can_use_tool(body, { signal }) {
    const input = (body['input'] ?? {}) as Record<string, unknown>;
    const about = Object.entries(FIELDS).flatMap(([theirs, ours]) =>
      body[theirs] === undefined ? [] : [[ours, body[theirs]] as const],
    );
    const asked = { signal, ...Object.fromEntries(about) } as never; // unchanged from the frame
    const answer = await canUseTool(String(body['tool_name'] ?? ''), input, asked);
    const toolUseID = body['tool_use_id'];
    // A missing answer is not consent.
    if (answer === null || answer === undefined)
      return { behavior: 'deny', message: 'canUseTool gave no answer', toolUseID };
    return answer.behavior === 'allow'
      ? { updatedInput: input, ...answer, toolUseID }
      : { ...answer, toolUseID };
  },
});
