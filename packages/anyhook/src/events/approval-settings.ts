/** The `approvals` key of `hooks.json`. */

import { flag, listOf, mapOf, object, oneOf, type Shape, type Spot, text, whole } from './checker.ts';
import { isFields } from './fields.ts';

/**
 * `fallback`: questions are asked here where the agent cannot ask its user. `always`: everywhere, also questions that the agent itself
 * raises. `off`: nowhere, so `ask` is a refusal where the agent cannot ask.
 */
export type ApprovalMode = 'fallback' | 'always' | 'off';
const MODES = ['fallback', 'always', 'off'] as const satisfies readonly ApprovalMode[];

export type Notifier = 'desktop' | { readonly command: string } | { readonly webhook: string };

/** A command that the user has approved for good: exactly these words, and only in this project if it names one. */
export interface AllowedCommand {
  readonly command: string;
  readonly project?: string;
}

export interface ApprovalSettings {
  readonly mode: ApprovalMode;
  /** Waits even if nobody can be notified; otherwise such a call is refused at once and may be tried again. */
  readonly waitUnseen: boolean;
  /** The longest wait for one call, in seconds. The agent's own limit may be shorter. */
  readonly waitSeconds?: number;
  /** How long a question and its approval stay valid, in minutes. */
  readonly keepMinutes: number;
  readonly notify: readonly Notifier[];
  /** Names and public keys of those who may answer for hooks of the administrator. Empty: the user may. */
  readonly signers: Readonly<Record<string, string>>;
  /** Questions about these commands are answered with yes, except those of the administrator's hooks. */
  readonly allow: readonly AllowedCommand[];
}

export const DEFAULT_APPROVALS: ApprovalSettings = {
  mode: 'fallback',
  waitUnseen: false,
  keepMinutes: 24 * 60,
  notify: ['desktop'],
  signers: {},
  allow: [],
};

const notifier: Shape<Notifier> = (spot) => {
  if (typeof spot.value === 'string') return oneOf(['desktop'])(spot);
  const { command, webhook } = object({ command: text, webhook: address })(spot) ?? {};
  if (command !== undefined && webhook === undefined) return { command };
  if (webhook !== undefined && command === undefined) return { webhook };
  if (isFields(spot.value))
    spot.report('bad-value', 'needs either "command" or "webhook"', {
      remedy: 'Write { "command": "notify-me" } or { "webhook": "https://example.com/ask" }.',
    });
  return undefined;
};

function address(spot: Spot): string | undefined {
  const value = text(spot);
  if (value === undefined) return undefined;
  if (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)) return value;
  spot.report('bad-value', 'is not an http or https address');
  return undefined;
}

const allowed: Shape<AllowedCommand> = (spot) => {
  const { command, project } = object({ command: text, project: text })(spot) ?? {};
  if (command !== undefined) return { command, ...(project !== undefined && { project }) };
  if (isFields(spot.value) && spot.value['command'] === undefined)
    spot.report('bad-value', 'has no "command"', { remedy: 'Write { "command": "npm test" }.' });
  return undefined;
};

const FIELDS = object({
  mode: oneOf(MODES),
  waitUnseen: flag,
  waitSeconds: whole(1, 24 * 3600),
  keepMinutes: whole(1, 30 * 24 * 60),
  notify: listOf(notifier),
  signers: mapOf(text),
  allow: listOf(allowed),
});

/** Settings of one file: a mode, or an object with any of the fields. */
export const approvals: Shape<Partial<ApprovalSettings>> = (spot) => {
  if (typeof spot.value !== 'string') return FIELDS(spot);
  const mode = oneOf(MODES)(spot);
  return mode === undefined ? undefined : { mode };
};

/** Later settings are overridden by earlier ones. The first are those of the administrator. */
export const mergedApprovals = (settings: readonly Partial<ApprovalSettings>[]): ApprovalSettings =>
  Object.assign({}, DEFAULT_APPROVALS, ...settings.toReversed()) as ApprovalSettings;
