import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { same } from './changes.ts';
import type { Change } from './effects.ts';
import type { Event } from './event.ts';
import { callIn, changesIn, makeLexicon, namesIn, respell, spell, unspell } from './lexicon.ts';
import { NO_TOOLS, TOOLS, type ToolColumn, type ToolName } from './tools.ts';

const claude: ToolColumn = {
  ...NO_TOOLS,
  shell: { names: ['Bash'], args: { command: ['command'] } },
  write: { names: ['Write'], args: { path: ['file_path'], content: ['content'] } },
};
const opencode: ToolColumn = {
  ...NO_TOOLS,
  shell: { names: ['bash'], args: { command: ['command'] } },
  write: { names: ['write'], args: { path: ['path', 'filePath'], content: ['content'] } },
};
const goose: ToolColumn = { ...NO_TOOLS, shell: { names: ['developer__shell', 'shell_tool'], args: {} } };
const lexicon = makeLexicon([claude, opencode, goose], {
  put_file: { is: 'write', args: { path: 'target' } },
});

describe('any spelling in', () => {
  const table: [string, object, string, object][] = [
    ['Bash', { command: 'ls' }, 'shell', { command: 'ls' }],
    ['developer__shell', { command: 'ls' }, 'shell', { command: 'ls' }],
    ['shell_tool', { command: 'ls' }, 'shell', { command: 'ls' }],
    ['Write', { file_path: 'a', content: 'c' }, 'write', { path: 'a', content: 'c' }],
    ['write', { filePath: 'a', content: 'c' }, 'write', { path: 'a', content: 'c' }],
    ['put_file', { target: 'a', extra: 1 }, 'write', { path: 'a', extra: 1 }],
    ['mcp__db__query', { file_path: 'a' }, 'mcp__db__query', { file_path: 'a' }],
    ['constructor', { a: 1 }, 'constructor', { a: 1 }],
    ['__proto__', { a: 1 }, '__proto__', { a: 1 }],
  ];
  test.each(table)('reads %s %j as %s %j and converts it back', (tool, input, ours, said) => {
    const read = lexicon.read(tool, input as never);
    expect([read.tool, read.input, read.native.tool]).toEqual([ours, said, tool]);
    expect(respell(read.input, read.native)).toEqual(input);
  });

  test('converts every argument back to its own name', () => {
    const key = fc.oneof(
      fc.constantFrom(
        'path',
        'filePath',
        'file_path',
        'target',
        'content',
        '__proto__',
        'constructor',
        'path_',
      ),
      fc.string(),
    );
    fc.assert(
      fc.property(
        fc.constantFrom('Write', 'write', 'put_file', 'Bash', 'unknown'),
        fc.dictionary(key, fc.nat(), { noNullPrototype: true }),
        (tool, input) => {
          const read = lexicon.read(tool, input);
          expect(same(respell(read.input, read.native), input)).toBe(true);
          expect(Object.keys(read.input).length).toBe(Object.keys(input).length);
        },
      ),
      { numRuns: Number(process.env['RUNS'] ?? 2_000) },
    );
  });

  test("of two names for one argument, the host's own name is judged", () => {
    for (const input of [
      { target: 'used', path: 'decoy' },
      { path: 'decoy', target: 'used' },
    ]) {
      const read = lexicon.read('put_file', input);
      expect(read.input['path']).toBe('used');
      expect(Object.values(read.input)).toContain('decoy');
      expect(respell(read.input, read.native)).toEqual(input);
    }
  });

  test("does not modify the caller's input", () => {
    const input = Object.freeze({ file_path: 'a' });
    lexicon.read('Write', input);
    expect(input).toEqual({ file_path: 'a' });
  });
});

describe('any spelling out', () => {
  test('translates our names to those of a column', () => {
    expect(spell(claude, 'write', { path: 'a', content: 'c' })).toEqual({
      tool: 'Write',
      input: { file_path: 'a', content: 'c' },
    });
    expect(spell(goose, 'write', { path: 'a' })).toEqual({ tool: 'write', input: { path: 'a' } });
  });

  test('offers both names if documentation and agent differ', () => {
    expect(spell(opencode, 'write', { path: 'a', more: 1 })).toEqual({
      tool: 'write',
      input: { path: 'a', filePath: 'a', more: 1 },
    });
  });

  test('treats an argument called __proto__ like any other', () => {
    const odd = JSON.parse('{"__proto__": {"a": 1}}') as Record<string, unknown>;
    for (const { input } of [spell(claude, 'write', odd), lexicon.read('Write', { ...odd, file_path: 'f' })])
      expect([Object.keys(input).includes('__proto__'), (input as { a?: number }).a]).toEqual([
        true,
        undefined,
      ]);
  });

  test('lists every name of a tool', () => {
    expect(lexicon.spellings('shell')).toEqual(['shell', 'Bash', 'bash', 'developer__shell', 'shell_tool']);
    expect(lexicon.spellings('write')).toEqual(['write', 'Write', 'put_file']);
    expect(lexicon.spellings('unknown')).toEqual(['unknown']);
    expect([namesIn(goose, 'shell'), namesIn(goose, 'write'), namesIn(goose, 'toString')]).toEqual([
      ['developer__shell', 'shell_tool'],
      [],
      [],
    ]);
  });

  test('recognises all of our own tools', () => {
    for (const tool of Object.keys(TOOLS) as ToolName[]) expect(lexicon.read(tool, {}).tool).toBe(tool);
  });
});

describe('a change made in another spelling', () => {
  const put = (key: string, to: unknown): Change => ({ kind: 'set', at: ['input', key], to });

  test('translates a change of an argument under any of its names', () => {
    expect(unspell(claude, 'write', [put('file_path', 'b')])).toEqual([put('path', 'b')]);
    expect(unspell(opencode, 'write', [put('path', 'b')])).toEqual([put('path', 'b')]);
    expect(unspell(opencode, 'write', [put('filePath', 'b')])).toEqual([put('path', 'b')]);
    expect(unspell(claude, 'write', [put('other', 'b')])).toEqual([put('other', 'b')]);
    expect(unspell(claude, 'unknown', [put('file_path', 'b')])).toEqual([put('file_path', 'b')]);
  });

  test('translates argument names inside a change of the whole input', () => {
    const whole: Change = { kind: 'set', at: ['input'], to: { file_path: 'b', x: 1 } };
    expect(unspell(claude, 'write', [whole])).toEqual([{ ...whole, to: { path: 'b', x: 1 } }]);
  });

  test('does not remove an argument if its value moved to another name', () => {
    const gone: Change = { kind: 'set', at: ['input', 'path'] };
    for (const changes of [
      [gone, put('filePath', 'b')],
      [put('filePath', 'b'), gone],
    ])
      expect(unspell(opencode, 'write', changes)).toEqual([gone, put('path', 'b')]);
  });

  test('leaves changes of other fields unchanged', () => {
    const output: Change = { kind: 'set', at: ['content'], to: [] };
    expect(unspell(claude, 'write', [output])).toEqual([output]);
  });

  const heard = (tool: string, input: object): Event => {
    const read = lexicon.read(tool, input as never);
    const payload = { tool: read.tool, input: read.input };
    return {
      name: 'tool.before',
      payload,
      native: read.native,
      ids: { session: 's' },
      scene: { cwd: '/' },
      round: 1,
    };
  };

  test("converts a change by a hook of any dialect to the host's names", () => {
    const event = heard('put_file', { target: 'a', content: 'c' });
    expect(callIn(claude, event)).toEqual({ tool: 'Write', input: { file_path: 'a', content: 'c' } });
    expect(changesIn(claude, event, { file_path: 'b', content: 'c' })).toEqual([put('path', 'b')]);
    expect(respell({ path: 'b', content: 'c' }, event.native)).toEqual({ target: 'b', content: 'c' });
  });

  test("a hook of a dialect without the tool sees the host's names, and its change is converted back", () => {
    const event = heard('put_file', { target: 'a' });
    expect(callIn(goose, event)).toEqual({ tool: 'put_file', input: { target: 'a' } });
    expect(changesIn(goose, event, { target: 'b' })).toEqual([put('path', 'b')]);
  });
});
