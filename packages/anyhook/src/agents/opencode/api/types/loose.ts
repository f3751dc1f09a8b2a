/**
 * Values that plugins use without type checks: OpenCode types arguments and metadata as `any`, and existing plugins
 * rely on it. This is the only place where our own types do so.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- a stricter type refuses plugins that OpenCode accepts
export type Loose = any;
