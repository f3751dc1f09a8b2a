import { z } from 'zod';
import { hooksFile } from './hooks-schema.mjs';

/**
 * @typedef {import('./tables.mjs').Tables} Tables
 * @typedef {import('./tables.mjs').EventName} EventName
 * @typedef {z.core.JSONSchema.BaseSchema} Schema
 */

/**
 * @param {Tables} tables
 * @returns {Map<EventName, Schema>}
 */
export function eventSchemas({ events, validate }) {
  return new Map(
    events.EVENT_NAMES.map((name) => {
      const { $schema, ...schema } = z.toJSONSchema(validate.schemaOf(name), { io: 'input' });
      const head = { $schema, $id: `urn:anyhook:events:${name}`, title: name };
      return [name, /** @type {Schema} */ ({ ...head, description: events.EVENTS[name].when, ...schema })];
    }),
  );
}

/** @param {Tables} tables */
export function hooksSchema(tables) {
  const { $schema, ...schema } = z.toJSONSchema(hooksFile(tables), { io: 'input' });
  return { $schema, $id: 'urn:anyhook:hooks', title: 'anyhook: hooks.json', ...schema };
}

/**
 * The requests of `anyhook serve`. A payload is described by the schema of its event.
 * @param {Tables} tables
 */
export function serveSchema({ serve: { METHODS, SERVE_PROTOCOL } }) {
  const requests = Object.entries(METHODS).map(([method, schema]) => {
    const { $schema: _schema, description, ...params } = z.toJSONSchema(schema, { io: 'input' });
    const isNotification = method === 'cancel';
    return {
      title: method,
      description,
      type: 'object',
      properties: {
        jsonrpc: { const: '2.0' },
        ...(!isNotification && { id: { type: ['string', 'number'] } }),
        method: { const: method },
        params,
      },
      required: ['jsonrpc', ...(isNotification ? [] : ['id']), 'method', 'params'],
    };
  });
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:anyhook:serve:${SERVE_PROTOCOL}`,
    title: 'anyhook: requests of anyhook serve',
    anyOf: requests,
  };
}

/** The order of keys says nothing, so it must not make a difference; the heads come first for the reader. */
const HEADS = ['$schema', '$id', 'title', 'description', 'type'];

/** @param {unknown} schema */
export const print = (schema) => `${JSON.stringify(sorted(schema, HEADS), null, 2)}\n`;

/**
 * @param {unknown} value
 * @param {readonly string[]} heads none among the fields of an object: there `type` is a name like any other
 * @returns {unknown}
 */
function sorted(value, heads) {
  if (Array.isArray(value)) return value.map((item) => sorted(item, heads));
  if (typeof value !== 'object' || value === null) return value;
  const rank = (/** @type {string} */ key) => (heads.includes(key) ? heads.indexOf(key) : heads.length);
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner, key === 'properties' || key === '$defs' ? [] : HEADS)]),
  );
}
