import { expect, test } from 'vitest';
import { CODECS } from './codec.ts';

const IDS = ['ask-1', '', 'a"b\\c\n\u2028\u{1F600}', '\uD800'];
const VALUES = [{}, { decision: 'block', reason: 'a "b"\n' }, null, [], 'text', undefined];
const CASES = IDS.flatMap((id) => VALUES.map((value) => [id, value] as const));

test.each(CASES)(
  'the answer to %j with %j is the line that JSON.stringify creates for its frame',
  (id, value) => {
    const type = 'control_response';
    expect([CODECS.nested.answer(id, value), CODECS.flat.answer(id, value)]).toEqual([
      JSON.stringify({ type, response: { subtype: 'success', request_id: id, response: value } }),
      JSON.stringify({ type, request_id: id, result: value }),
    ]);
  },
);
