/** The bridge of agents that load a module, with anyhook removed. Its message must help without anyhook. */

import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test, vi } from 'vitest';
import { removeTree } from '../../settings/remove-tree.ts';
import { AGENT_NAMES, AGENTS } from '../index.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook bridge-')));
afterAll(() => removeTree(root));

const inside = AGENT_NAMES.filter((name) => AGENTS[name].inside !== null);

test.each(inside)(
  'the bridge of %s prints its own path and a working command if anyhook was removed',
  async (name) => {
    const where = { scope: 'user', home: join(root, name), cwd: root, env: {} } as const;
    const setup = {
      ...where,
      agent: name,
      failure: 'closed',
      strict: false,
      node: 'node',
      moduleUrl: 'file:///gone',
    };
    const [piece] = AGENTS[name].bridge(where);
    if (piece?.kind !== 'whole') throw new TypeError('a module is a whole file');
    const file = piece.file.replace(/\.js$/, '.mjs');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, piece.text(setup as never));
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
    const module = (await import(pathToFileURL(file).href)) as Readonly<
      Record<string, (given: object) => Promise<unknown>>
    >;
    const handlers: (() => unknown)[] = [];
    const given = { on: (_: string, handler: () => unknown) => handlers.push(handler) };
    const plugin = await (module['anyhook'] ?? module['default'])!(given);
    const message = String(printed.mock.calls[0]?.[0]);
    printed.mockRestore();
    expect(message).toContain('npm install -g anyhook');
    expect(message).toContain(`rm "${file}"`);
    const refuse = (plugin as Readonly<Record<string, () => Promise<unknown>>> | undefined)?.[
      'tool.execute.before'
    ];
    if (refuse !== undefined) await expect(refuse()).rejects.toThrow(`rm "${file}"`);
    else
      expect(handlers.map((handler) => handler())).toEqual([
        { block: true, reason: expect.stringContaining(`rm "${file}"`) },
      ]);
  },
);
