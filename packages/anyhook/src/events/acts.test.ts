import { describe, expect, test } from 'vitest';
import { actsOf, around, withAct } from './acts.ts';

const patch = [
  '*** Begin Patch',
  '*** Add File: .env',
  '+A=1',
  '+B=2',
  '*** Update File: src/a.ts',
  '*** Move to: src/b.ts',
  '@@ function a',
  ' keep',
  '-old',
  '+new',
  '*** Delete File: old.txt',
  '*** End Patch',
].join('\n');
const call = { tool: 'patch', input: { patch } };

describe('a patch', () => {
  test('splits a patch into one write or edit per file, plus a write for the target of a move', () => {
    expect(actsOf(call)).toEqual([
      { tool: 'write', input: { path: '.env', content: 'A=1\nB=2\n' } },
      { tool: 'edit', input: { path: 'src/a.ts', old: 'keep\nold', new: 'keep\nnew' } },
      { tool: 'write', input: { path: 'src/b.ts' } },
      { tool: 'edit', input: { path: 'old.txt' } },
    ]);
  });

  test.each<[string, number, object, string, string]>([
    ['the path of an added file', 0, { path: 'env.txt', content: 'A=1\nB=2\n' }, '.env', 'env.txt'],
    ['what is written', 0, { path: '.env', content: 'A=1\n' }, '+A=1\n+B=2', '+A=1'],
    [
      'what is edited',
      1,
      { path: 'src/a.ts', old: 'keep\nold', new: 'x' },
      ' keep\n-old\n+new',
      '-keep\n-old\n+x',
    ],
    ['where a file goes', 2, { path: 'src/c.ts' }, 'src/b.ts', 'src/c.ts'],
    ['which file is taken away', 3, { path: 'older.txt' }, 'old.txt', 'older.txt'],
  ])('applies %s to a patch and leaves the rest of the patch unchanged', (_what, at, act, before, after) => {
    expect(withAct(call, at, { ...act })).toEqual({ patch: patch.replace(before, after) });
  });

  test.each<[string, number, object]>([
    ['content for a file that is taken away', 3, { path: 'old.txt', content: 'x' }],
    ['a path of two lines', 0, { path: 'a\n*** Delete File: b', content: 'A=1\nB=2\n' }],
    ['an argument that no patch has', 0, { path: '.env', content: 'A=1\nB=2\n', mode: '755' }],
    ['an act that is not there', 9, { path: 'x' }],
  ])('returns null for %s, which a patch cannot express', (_what, at, act) =>
    expect(withAct(call, at, { ...act })).toBeNull(),
  );

  test('returns null for a change of a file that the patch changes in two places', () => {
    const two = { tool: 'patch', input: { patch: '*** Update File: a\n@@\n-b\n+c\n@@\n-d\n+e' } };
    expect(withAct(two, 0, { path: 'a', old: 'b\nd', new: 'x' })).toBeNull();
  });

  test('treats a patch that cannot be parsed as one edit', () => {
    expect(actsOf({ tool: 'patch', input: { patch: 'nonsense' } })).toEqual([
      { tool: 'edit', input: { patch: 'nonsense' } },
    ]);
  });

  test('expresses a single act as a patch', () => {
    const acts = [
      { tool: 'write', input: { path: 'a', content: 'x\ny\n' } },
      { tool: 'edit', input: { path: 'a', old: 'x\n', new: '' } },
    ] as const;
    for (const act of acts) expect(actsOf({ tool: 'patch', input: around('patch', act) })).toEqual([act]);
  });
});

test.each([
  ['view', 'read'],
  ['write', 'write'],
  ['create', 'write'],
  ['str_replace', 'edit'],
  ['insert', 'edit'],
  ['whatever comes next', 'edit'],
])('reads the editor action %s as a %s and keeps the action after a change', (action, tool) => {
  const editor = { tool: 'editor', input: { action, path: 'a' } };
  expect(actsOf(editor)).toEqual([{ tool, input: { path: 'a' } }]);
  expect(withAct(editor, 0, { path: 'b' })).toEqual({ action, path: 'b' });
});

test('splits a multi-edit into its edits and rejects a change of the path of a single one', () => {
  const edits = [
    { old: 'a', new: 'b' },
    { old: 'c', new: 'd', all: true },
  ];
  const multi = { tool: 'multi-edit', input: { path: 'f', edits } };
  expect(actsOf(multi)).toEqual(edits.map((edit) => ({ tool: 'edit', input: { path: 'f', ...edit } })));
  expect(withAct(multi, 1, { path: 'f', old: 'c', new: 'z' })).toEqual({
    path: 'f',
    edits: [edits[0], { old: 'c', new: 'z' }],
  });
  expect(withAct(multi, 1, { path: 'g', old: 'c', new: 'z' })).toBeNull();
  expect(withAct(multi, 2, { path: 'f' })).toBeNull();
});

test('treats texts beside the list as one more edit, and lets a lone edit move to another file', () => {
  const both = {
    tool: 'multi-edit',
    input: { path: 'f', old: 'a', new: 'b', edits: [{ old: 'c', new: 'd' }] },
  };
  expect(actsOf(both).map(({ input }) => input)).toEqual([
    { path: 'f', old: 'a', new: 'b' },
    { path: 'f', old: 'c', new: 'd' },
  ]);
  expect(withAct(both, 0, { path: 'f', old: 'a', new: 'z' })).toEqual({ ...both.input, new: 'z' });
  expect(withAct(both, 1, { path: 'f', old: 'c', new: 'z' })).toEqual({
    ...both.input,
    edits: [{ old: 'c', new: 'z' }],
  });
  const alone = { tool: 'multi-edit', input: { path: 'f', edits: [{ old: 'a', new: 'b' }] } };
  expect(withAct(alone, 0, { path: 'g', old: 'a', new: 'b' })).toEqual({ ...alone.input, path: 'g' });
});

test.each([[{ path: 'f', edits: '[{"old":"a"}]' }], [{ path: 'f', old: 'a', new: 'b' }]])(
  'treats edits that are not a list (%j) as one unchanged edit',
  (input) => expect(actsOf({ tool: 'multi-edit', input })).toEqual([{ tool: 'edit', input }]),
);

test('returns no acts for any other tool', () => {
  expect(actsOf({ tool: 'shell', input: { command: 'ls' } })).toEqual([]);
  expect(actsOf({ tool: '__proto__', input: {} })).toEqual([]);
});
