import { z } from 'zod';

/**
 * @typedef {import('./tables.mjs').Tables} Tables
 * @typedef {import('./tables.mjs').EventName} EventName
 * @typedef {import('./schemas.mjs').Schema} Schema
 */

/** What each effect asks for. The type asks for every kind. */
/** @type {Record<import('../../packages/anyhook/src/events/effects.ts').EffectKind, string>} */
const IN_WORDS = {
  allow: 'it may happen, without a question to the person',
  ask: 'the person decides; a deny where nobody can be asked',
  defer: 'it is put off until somebody else has decided',
  deny: 'it does not happen; the reason goes back',
  set: 'a field, or one key of it, gets another value',
  context: 'a text for the model',
  notice: 'a text for the person',
  halt: 'the agent stops',
  cancel: 'what was asked for is not done',
  resume: 'the agent goes on, with the reason as its next task',
  retry: 'it is tried again',
  give: 'something the agent would have made itself is handed over',
};

const MISFIT =
  'A value that does not fit its type makes the answer [unreadable](../concepts.md#when-a-hook-fails); the host never gets it.';

/**
 * @param {Tables} tables
 * @param {EventName} name
 * @param {Schema} schema
 */
export function eventPage({ events, proceed, dialects, gifts, validate }, name, schema) {
  const row = events.rowOf(name);
  const taken = (row.gives ?? []).map((what) => [
    `\`${what}\``,
    gifts.GIFTS[what].is,
    typeOf(z.toJSONSchema(validate.giftSchemaOf(what), { io: 'input' })),
  ]);
  return [
    row.when,
    proceedLine(row, proceed.stoppedBy(name)),
    '## Payload',
    payload(row, schema),
    `A matcher reads ${row.subject === null ? 'nothing here: a hook of this event takes no matcher' : `\`${row.subject}\``}.`,
    `JSON Schema: [\`${name}.schema.json\`](../../packages/anyhook/schema/events/${name}.schema.json).`,
    '## Effects that count',
    table(
      ['effect', 'asks that'],
      row.effects.map((kind) => [`\`${kind}\``, IN_WORDS[kind]]),
    ),
    'Any other effect is kept on the record as ignored.',
    ...(row.mutable.length + taken.length === 0 ? [] : [MISFIT]),
    ...(taken.length === 0 ? [] : ['## Gifts it takes', table(['gift', 'is', 'value'], taken)]),
    ...(dialects.length === 0 ? [] : ['## Words', table(['dialect', 'its word'], words(dialects, name))]),
  ].join('\n\n');
}

/**
 * What `proceed` means to a host that fires it.
 *
 * @param {import('../../packages/anyhook/src/events/events.ts').EventRow} row
 * @param {readonly import('../../packages/anyhook/src/events/effects.ts').EffectKind[]} stoppedBy
 */
function proceedLine({ ends, unanswered }, stoppedBy) {
  const link = '[`proceed`](../library.md#the-outcome)';
  if (stoppedBy.length === 0) return `Stopped by nothing: ${link} is always \`yes\`.`;
  const by = `Stopped by ${stoppedBy.map((kind) => `\`${kind}\``).join(', ')}`;
  if (ends === true) return `${by}: ${link} is then \`no\`, and the agent goes on with \`reason\`.`;
  const asked = stoppedBy.includes('ask') ? ' (`ask` for `ask`)' : '';
  const silence =
    unanswered === undefined ? '' : ` When no hook decides it is \`${unanswered}\`, never \`yes\`.`;
  return `${by}: ${link} is then \`no\`${asked}.${silence}`;
}

/**
 * @param {readonly import('./tables.mjs').Dialect[]} dialects
 * @param {EventName} name
 */
const words = (dialects, name) =>
  dialects.map((dialect) => {
    const said = dialect.words[name];
    const none = said === null || said.length === 0;
    return [dialect.name, none ? 'has no such event' : said.map((word) => `\`${word}\``).join(', ')];
  });

/**
 * @param {import('../../packages/anyhook/src/events/events.ts').EventRow} row
 * @param {Schema} schema
 */
function payload(row, schema) {
  const fields = Object.entries(schema.properties ?? {});
  if (fields.length === 0) return 'No fields of its own.';
  return table(
    ['field', 'type', 'always there', 'hooks may change it'],
    fields.map(([field, type]) => [
      `\`${field}\``,
      typeOf(type),
      schema.required?.includes(field) ? 'yes' : '',
      row.mutable.includes(field) ? 'yes' : '',
    ]),
  );
}

/**
 * @param {Schema | boolean} schema
 * @returns {string}
 */
function typeOf(schema) {
  if (typeof schema === 'boolean') return 'anything';
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' or ');
  if (schema.type === 'array') {
    const items = Array.isArray(schema.items) ? undefined : schema.items;
    const inner = items === undefined ? 'anything' : typeOf(items);
    return `list of ${inner === 'anything' ? 'anything' : `${inner}s`}`;
  }
  if (schema.properties !== undefined) return shapeOf(schema.properties, schema.required ?? []);
  if (schema.type === 'object') {
    const inner =
      typeof schema.additionalProperties === 'object' ? typeOf(schema.additionalProperties) : 'anything';
    return inner === 'anything' ? 'object' : `object of ${inner}s`;
  }
  return schema.type === undefined ? 'anything' : String(schema.type);
}

/**
 * @param {Record<string, Schema | boolean>} fields
 * @param {readonly string[]} required
 */
const shapeOf = (fields, required) =>
  `object with ${Object.entries(fields)
    .map(([field, type]) => `\`${field}${required.includes(field) ? '' : '?'}\`: ${typeOf(type)}`)
    .join(', ')}`;

/**
 * @param {readonly string[]} head
 * @param {readonly (readonly string[])[]} rows
 */
const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
