/** `once`: this call may run one time. `session`: exactly this call, as often as it comes in this session. */
export type AnswerKind = 'once' | 'session' | 'refuse';
export const ANSWER_KINDS = ['once', 'session', 'refuse'] as const satisfies readonly AnswerKind[];

/** The author of refusals and approvals by the user, in outcomes and in the journal. */
export const BY_USER = 'anyhook:approvals';
