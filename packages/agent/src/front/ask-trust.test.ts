import type { Hooks } from 'anyhook';
import { describe, expect, test } from 'vitest';
import { askTrust } from './ask-trust.ts';

type Examined = Hooks['examined'][number];
/** An entry as the library reports it, with the fields that this code reads. */
const entry = (name: string, state: string, more: object = {}) =>
  ({
    file: `/p/${name}.json`,
    line: 3,
    entry: { file: `/p/${name}.json`, fields: { mcpServer: name, server: { command: name } } },
    judgement: {
      state,
      hash: `sha256:${name}`,
      mayAsk: true,
      trustedFiles: {
        files: [{ name: `${name}.mjs`, bytes: Buffer.from(`run(${name})\n`) }],
        obstacles: [],
        doubts: name === 'unclear' ? ['npx: runs programs of node_modules'] : [],
      },
      ...more,
    },
  }) as unknown as Examined;

async function asked(examined: readonly Examined[], answers: readonly boolean[]) {
  const said: string[] = [];
  const granted: string[] = [];
  const left = [...answers];
  const grant = (one: Examined['entry']) => {
    granted.push(one.file);
    return { kind: 'added' } as never; // Only a failure is inspected.
  };
  const isGranted = await askTrust(
    { examined, grant },
    {
      notify: (text) => void said.push(text),
      select: async (title, [no, yes]) => {
        said.push(title);
        return left.shift() === true ? yes : no;
      },
    },
  );
  return { said, granted, isGranted };
}

describe('what a project wants to run', () => {
  test('a project hook is shown with its exact bytes and runs only if the user accepts it', async () => {
    const { said, granted, isGranted } = await asked(
      [entry('one', 'unknown'), entry('two', 'unknown')],
      [false, true],
    );
    expect([granted, isGranted]).toEqual([['/p/two.json'], true]);
    expect(said[0]).toBe(
      'This project wants to run (/p/one.json:3):\nthe MCP server one: {"command":"one"}\n── one.mjs\nrun(one)',
    );
    expect(said[1]).toContain('sha256:one');
  });

  test('a project hook is shown with a warning about code that cannot be determined', async () => {
    const { said } = await asked([entry('unclear', 'unknown')], []);
    expect(said[0]).toContain(
      'Not everything that this runs is known. Code that it loads may change unnoticed:\n- npx: runs programs of node_modules',
    );
  });

  test('a project hook that was trusted earlier is shown with its changes', async () => {
    const { said } = await asked([entry('one', 'modified', { diff: '-old\n+new' })], []);
    expect(said[0]).toContain('This project changed what you trusted');
    expect(said[0]).toContain('-old\n+new');
  });

  test('asks about no project hook that is trusted or cannot be trusted, and about none without a user', async () => {
    const { said, isGranted } = await asked(
      [
        entry('a', 'trusted'),
        entry('b', 'untrustable', { mayAsk: false }),
        entry('c', 'unknown', { mayAsk: false }),
      ],
      [true, true, true],
    );
    expect([said, isGranted]).toEqual([[], false]);
  });
});
