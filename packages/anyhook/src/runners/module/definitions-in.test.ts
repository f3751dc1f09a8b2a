import { describe, expect, test } from 'vitest';
import { defineHook } from '../../events/define.ts';
import { definitionsIn } from './definitions-in.ts';

const hook = (more: object = {}) => defineHook({ on: 'tool.before', run() {}, ...more });
const wrong = (spec: object) => defineHook(spec as never);

describe('the hooks of a module', () => {
  test('hooks are listed from the default export, then by name, with lists flattened', () => {
    const exports = {
      zebra: hook({ name: 'z' }),
      default: [hook({ name: 'd0' }), hook({ name: 'd1' })],
      ant: hook({ name: 'a' }),
      other: 7,
    };
    const { definitions, problems } = definitionsIn(exports, 'a.ts');
    expect(definitions.map((found) => [found.export, found.definition.name])).toEqual([
      ['default[0]', 'd0'],
      ['default[1]', 'd1'],
      ['ant', 'a'],
      ['zebra', 'z'],
    ]);
    expect(problems).toEqual([]);
  });

  test('hooks are found in CommonJS exports', () => {
    expect(definitionsIn(hook(), 'a.cjs').definitions.map((found) => found.export)).toEqual(['default']);
    expect(definitionsIn([hook()], 'a.cjs').definitions.map((found) => found.export)).toEqual(['default[0]']);
  });

  test('hooks may be defined by another copy of the package', () => {
    const foreign = { on: 'tool.before', run() {}, [Symbol.for('anyhook.definition')]: true };
    expect(definitionsIn({ default: foreign }, 'a.ts').definitions).toHaveLength(1);
    expect(definitionsIn({ default: { on: 'tool.before', run() {} } }, 'a.ts').definitions).toHaveLength(0);
  });
});

describe('what is wrong is named, and the rest loads', () => {
  test.each([
    [
      { on: 'tool.befor', run() {} },
      'unknown-event',
      'on',
      "unknown event 'tool.befor'. Did you mean 'tool.before'?",
    ],
    [
      { on: 'tool.before', run() {}, onFailur: 'block' },
      'unknown-key',
      'onFailur',
      "unknown key 'onFailur'. Did you mean 'onFailure'?",
    ],
    [{ on: 'tool.before' }, 'wrong-type', 'run', 'run is missing. Expected a function.'],
    [
      { on: 'tool.before', run() {}, timeoutMs: '5s' },
      'wrong-type',
      'timeoutMs',
      "'5s' is not a number of milliseconds above 0. Correct or remove it.",
    ],
    [
      { on: 'tool.before', run() {}, timeoutMs: Infinity },
      'wrong-type',
      'timeoutMs',
      'Infinity is not a number of milliseconds above 0. Correct or remove it.',
    ],
    [
      { on: 'tool.before', run() {}, roles: ['gaurd'] },
      'wrong-type',
      'roles',
      'this list is not a non-empty list of: one of guard, mutator, observer. Correct or remove it.',
    ],
    [
      { on: 'tool.before', run() {}, match: [] },
      'wrong-type',
      'match',
      'an empty list is not a non-empty string or list of strings. Correct or remove it.',
    ],
    [
      { on: 'tool.before', run() {}, shadow: 1 },
      'wrong-type',
      'shadow',
      '1 is not true or false. Correct or remove it.',
    ],
  ])('%o', (spec, code, key, said) => {
    const { definitions, problems } = definitionsIn({ default: wrong(spec), sound: hook() }, 'a.ts');
    expect(definitions.map((found) => found.export)).toEqual(['sound']);
    expect(problems.map((p) => [p.code, p.key, `${p.message} ${p.remedy}`])).toEqual([
      [code, `default.${key}`, said],
    ]);
    expect(problems[0]?.line).toBeTypeOf('number');
  });

  test('an invalid hook with a known event is kept as unsound', () => {
    const { unsound } = definitionsIn({ default: wrong({ on: 'tool.before', name: 'g', run: 1 }) }, 'a.ts');
    expect(unsound).toEqual([
      {
        export: 'default',
        on: 'tool.before',
        name: 'g',
        why: {
          kind: 'not-loaded',
          detail: expect.stringContaining('default.run: 1 is not a function.') as string,
        },
      },
    ]);
  });

  test('every problem is reported, not only the first', () => {
    expect(
      definitionsIn({ default: wrong({ on: 'x', shadow: 1, hm: 1 }) }, 'a.ts').problems.map((p) => p.code),
    ).toEqual(['unknown-event', 'unknown-key', 'wrong-type', 'wrong-type']);
  });

  test('a module without hooks reports what it exports instead', () => {
    expect(definitionsIn({ default: () => 1, a: { on: 'tool.before' } }, 'a.ts').problems).toEqual([
      {
        code: 'not-loaded',
        file: 'a.ts',
        message: 'the module defines no hook; it exports default (function), a (object).',
        remedy: "Export what `defineHook({ on, run })` from 'anyhook' returns.",
        severity: 'error',
      },
    ]);
    expect(definitionsIn({}, 'a.ts').problems[0]?.message).toBe(
      'the module defines no hook; it exports nothing.',
    );
  });
});
