/** The tables of docs/serve.md: parameters of each method, and error codes. */

import { z } from 'zod';

/** @typedef {import('./tables.mjs').Tables} Tables */
/** @typedef {{ type?: string | string[], description?: string, anyOf?: { type?: string }[] }} Property */

/** @param {Property} property */
function typeOf({ type, anyOf }) {
  const types = anyOf?.map((one) => one.type ?? '') ?? [type ?? 'any'];
  return types.flat().join(' or ');
}

/** @param {Tables} tables */
export function serveTables({ serve: { METHODS, SERVE_ERRORS } }) {
  const methods = Object.entries(METHODS).flatMap(([method, shape]) => {
    const {
      description,
      properties = {},
      required = [],
    } = /** @type {{ description?: string, properties?: Record<string, Property>, required?: string[] }} */ (
      z.toJSONSchema(shape, { io: 'input' })
    );
    const rows = Object.entries(properties).map(
      ([name, property]) =>
        `| \`${name}\`${required.includes(name) ? '' : ' (optional)'} | ${typeOf(property)} | ${property.description ?? ''} |`,
    );
    return [
      `### \`${method}\``,
      '',
      description ?? '',
      '',
      '| parameter | type | meaning |',
      '| --- | --- | --- |',
      ...rows,
      '',
    ];
  });
  const errors = Object.entries(SERVE_ERRORS).map(
    ([name, [code, meaning]]) => `| ${code} | \`${name}\` | ${meaning} |`,
  );
  return [
    '## Methods',
    '',
    ...methods,
    '## Errors',
    '',
    '| code | `data.code` | meaning |',
    '| --- | --- | --- |',
    ...errors,
  ].join('\n');
}
