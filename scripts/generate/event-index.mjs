import { LIFECYCLE } from './lifecycle.mjs';

/** @param {import('./tables.mjs').Tables} tables */
export const eventIndex = ({ events }) => `${LIFECYCLE.trim()}

| event | when | a matcher reads | hooks may change | effects that count |
| --- | --- | --- | --- | --- |
${events.EVENT_NAMES.map((name) => line(name, events.rowOf(name))).join('\n')}
`;

/**
 * @param {string} name
 * @param {import('../../packages/anyhook/src/events/events.ts').EventRow} row
 */
const line = (name, { when, subject, mutable, effects, gives = [] }) =>
  `| [\`${name}\`](${name}.md) | ${when} | ${subject === null ? '' : `\`${subject}\``} | ` +
  `${mutable.map((field) => `\`${field}\``).join(', ')} | ${effects.map((kind) => (kind === 'give' ? `give (${gives.join(', ')})` : kind)).join(', ')} |`;
