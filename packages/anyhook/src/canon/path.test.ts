import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { basename, dirname, extname, isAbsolute, join, normalize, relative, resolve } from './path.ts';

const ours = { basename, dirname, extname, isAbsolute, join, normalize, relative, resolve };

/** Of steps that are in order, and of all that are not. */
const step = fc.constantFrom('', '.', '..', '...', 'a', '.b', 'c.', 'd e', '.a.b', 'é', '\n', '\\');
const paths = fc
  .tuple(fc.constantFrom('', '/', '//'), fc.array(step, { maxLength: 5 }), fc.constantFrom('', '/'))
  .map(([root, steps, end]) => `${root}${steps.join('/')}${end}`);
const RUNS = { numRuns: 2000 };

test.each(['join', 'resolve'] as const)('%s says what Node says, whatever the parts', (name) => {
  fc.assert(
    fc.property(fc.array(paths, { maxLength: 4 }), (parts) => {
      expect(ours[name](...parts)).toBe(path[name](...parts));
    }),
    RUNS,
  );
});

test.each(['dirname', 'basename', 'normalize', 'isAbsolute', 'extname'] as const)(
  '%s says what Node says, whatever the path',
  (name) => {
    fc.assert(
      fc.property(paths, (one) => {
        expect(ours[name](one)).toBe(path[name](one));
      }),
      RUNS,
    );
  },
);

test('basename with an ending, and the way from one to another, are as Node has them', () => {
  fc.assert(
    fc.property(paths, paths, (one, other) => {
      expect(ours.basename(one, other)).toBe(path.basename(one, other));
      expect(ours.relative(one, other)).toBe(path.relative(one, other));
    }),
    RUNS,
  );
});

test.each(['join', 'resolve', 'dirname', 'basename', 'normalize', 'isAbsolute'] as const)(
  '%s of what is no text is refused as Node refuses it',
  (name) => {
    for (const wrong of [undefined, null, 7, ['/a/b']]) {
      const call = (one: typeof ours.dirname) => () => one(wrong as unknown as string);
      expect(call(ours[name] as typeof ours.dirname)).toThrow(
        expect.objectContaining({ code: 'ERR_INVALID_ARG_TYPE' }),
      );
    }
  },
);
