import { toJSONSchema } from 'zod';
import { expect, test } from 'vitest';
import { TOOLS } from '../../../anyhook/src/events/tools.ts';
import { ownTools } from './index.ts';

/** Several acts in one call: tools of other agents, which ours does one by one. */
const OTHERS = ['patch', 'editor'];

test('every tool of ours has a row in the canon, and every row a tool, with the same arguments', () => {
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
