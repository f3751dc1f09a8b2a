import { expect, test } from 'vitest';
import { toJSONSchema } from 'zod';
import { TOOLS } from '../../../anyhook/src/events/tools.ts';
import { ownTools } from './index.ts';

/** Tools of other agents that perform several actions in one call. This agent has none of them. */
const OTHERS = ['patch', 'editor'];

test('every built-in tool has a row in the tool table with the same arguments, and the reverse', () => {
  const ours = ownTools().map(({ name, schema }) => {
    const { properties } = toJSONSchema(schema, { io: 'input' });
    return [name, Object.keys(properties ?? {}).toSorted()];
  });
  const canon = Object.entries(TOOLS)
    .filter(([name]) => !OTHERS.includes(name))
    .map(([name, { args }]) => [name, [...args].toSorted()]);
  expect(Object.fromEntries(ours)).toEqual(Object.fromEntries(canon));
  expect(ours).toHaveLength(canon.length);
});
