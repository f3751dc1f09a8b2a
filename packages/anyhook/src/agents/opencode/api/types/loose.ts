/** What a plugin reads without asking: OpenCode types arguments and metadata so, and the plugins that exist rely on it.
 * This is the only place where our own types give up. */
// oxlint-disable-next-line typescript/no-explicit-any -- a stricter type refuses plugins that OpenCode accepts
export type Loose = any;
