import { describe, expect, test } from 'vitest';
import type { Hook } from '../events/hook.ts';
import { once } from './load.ts';

const hook = (more: Partial<Hook> = {}): Hook => ({
  id: 'x',
  dialect: 'opta',
  on: 'tool.pre',
  origin: { layer: 'user', file: 'a.json', line: 1 },
  roles: ['guard'],
  match: { kind: 'any' },
  run: { kind: 'command', run: { line: 'guard' }, env: 'inherit' },
  background: false,
  shadow: false,
  timeoutMs: 1000,
  ...more,
});
const project = { layer: 'project', file: 'b.json', line: 2 } as const;

describe('once', () => {
  test('keeps one of two equal hooks with both origins and the stricter of each policy', () => {
    const lax = hook({ onFailure: 'allow', shadow: true, background: true, roles: ['observer'] });
    const strict = hook({ origin: project, onFailure: 'ask' });
    expect(once([lax, strict], '/here')).toEqual([
      {
        ...lax,
        onFailure: 'ask',
        shadow: false,
        background: false,
        roles: ['observer', 'guard'],
        also: [project],
      },
    ]);
  });

  test('recognises a hook whose working directory is the default one', () => {
    const inHere = hook({
      origin: project,
      run: { kind: 'command', run: { line: 'guard' }, env: 'inherit', cwd: '/here' },
    });
    expect(once([hook(), inHere], '/here')).toHaveLength(1);
    expect(once([hook(), inHere], '/elsewhere')).toHaveLength(2);
  });

  test('never merges hooks that differ', () => {
    const others = [
      hook({ dialect: 'anyhook' }),
      hook({ on: 'tool.post' }),
      hook({ matcher: 'shell' }),
      hook({ extra: { protocol: 'json' } }),
      hook({ run: { kind: 'command', run: { line: 'guard --lax' }, env: 'inherit' } }),
      hook({ run: { kind: 'command', run: { argv: ['guard'] }, env: 'inherit' } }),
      hook({ run: { kind: 'command', run: { line: 'guard' }, env: [] } }),
      hook({ run: { kind: 'command', run: { line: 'guard' }, env: 'inherit', set: { X: '1' } } }),
    ];
    expect(once([hook(), ...others], '/here')).toHaveLength(1 + others.length);
    const code = hook({ run: { kind: 'call', fn: () => undefined } });
    expect(once([code, code], '/here')).toHaveLength(2);
  });
});
