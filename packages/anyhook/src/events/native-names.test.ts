import { describe, expect, test } from 'vitest';
import { DIALECTS } from '../dialects.ts';
import { EVENT_NAMES } from './events.ts';
import { momentsOf, notAnEvent, readEventWord } from './native-names.ts';

const read = (word: string) => readEventWord(word, DIALECTS);

describe('a name for an event', () => {
  test.each(EVENT_NAMES)('%s is one of our names', (name) => {
    expect(read(name)).toEqual({ kind: 'event', event: name });
  });

  test.each([
    ['PreToolUse', 'tool.before'],
    ['tool.pre', 'tool.before'],
    ['tool_call', 'tool.before'],
    ['BeforeTool', 'tool.before'],
    ['tool.execute.before', 'tool.before'],
    ['BeforeShellExecution', 'tool.before'],
    ['UserPromptSubmit', 'prompt.submit'],
    ['session.compacted', 'compaction.after'],
    ['Setup', 'other'],
  ])('maps the native name %s to our event %s', (word, event) => {
    expect(read(word)).toEqual({ kind: 'event', event });
  });

  test('reports all candidates for an ambiguous name and chooses none', () => {
    expect(read('AfterTool')).toEqual({ kind: 'ambiguous', candidates: ['tool.after', 'tool.failed'] });
    expect(notAnEvent('AfterTool', { kind: 'ambiguous', candidates: ['tool.after', 'tool.failed'] })).toBe(
      '"AfterTool" can mean tool.after or tool.failed; write one of them',
    );
  });

  test('suggests the most similar name of any dialect for an unknown one', () => {
    expect(read('PreTolUse')).toEqual({ kind: 'unknown', near: 'PreToolUse' });
    expect(read('tool.befor')).toEqual({ kind: 'unknown', near: 'tool.before' });
    expect(read('qqqqqqqqqqqqq')).toEqual({ kind: 'unknown' });
  });

  test("returns our events for a hook's native name", () => {
    const gemini = DIALECTS.find(({ name }) => name === 'gemini-cli')!;
    expect(momentsOf('AfterTool', gemini)).toEqual(['tool.after', 'tool.failed']);
  });
});
