import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EVERYTHING } from '../events/capabilities.ts';
import { createHooks, type Hooks } from '../index.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-sweep-')));
const [home, project] = [join(root, 'home'), join(root, 'project')];
const settings = join(home, '.config/anyhook');
const CLOSE = 'hooks, their settings, trust and journal are for a person to change, not for the agent';

let hooks: Hooks;
beforeAll(async () => {
  mkdirSync(settings, { recursive: true });
  mkdirSync(join(project, '.anyhook'), { recursive: true });
  writeFileSync(
    join(settings, 'hooks.json'),
    '{ "hooks": { "tool.before": [{ "match": "shell", "run": "exit 2" }, { "match": "danger:delete", "name": "careful" }] } }',
  );
  hooks = await createHooks({
    host: { name: 'test', can: EVERYTHING },
    home,
    cwd: project,
    env: {},
    journal: false,
  });
});
afterAll(async () => {
  await hooks.close();
  rmSync(root, { recursive: true, force: true });
});
let sessions = 0;
/** Each call in a session of its own, or the refusals of earlier ones would answer it. */
const reasonsFor = async (command: string) => {
  const { reasons } = await hooks.fire({
    name: 'tool.before',
    payload: { tool: 'shell', input: { command } },
    ids: { session: `sweep-${++sessions}` },
  });
  return reasons.map(({ by, text }) => [by.replace(/^.*#/, ''), text] as const);
};

describe('a command that would change a folder with guarded files in it', () => {
  test.each([
    ['rm -rf /', 'delete the whole file system', settings],
    ['rm -rf /*', 'delete the whole file system', settings],
    ['rm -rf ~', 'delete the whole home folder', settings],
    ['rm -rf "$HOME"/', 'delete the whole home folder', settings],
    ['for d in ~; do rm -rf $d; done', 'delete the whole home folder', settings],
    ['rm -rf ~/.config', 'delete everything in ~/.config', settings],
    ['find / -delete', 'delete or change the whole file system', settings],
    ['mv ~/.config /elsewhere', 'move away everything in ~/.config', settings],
    ['rm -rf .', 'delete the whole working folder', join(project, '.anyhook')],
  ])('%s is refused with a message that names its effect', async (command, what, along) => {
    expect((await reasonsFor(command))[0]).toEqual([
      'anyhook:self-protection',
      `it would ${what}, and with it ${along}: ${CLOSE}`,
    ]);
  });

  test('also gets the reason of a danger: preset, and no other hook runs', async () => {
    expect(await reasonsFor('rm -rf /')).toEqual([
      ['anyhook:self-protection', `it would delete the whole file system, and with it ${settings}: ${CLOSE}`],
      ['careful', expect.stringMatching(/^Refused \(danger:delete\): `rm -rf \/`: it deletes everything/)],
    ]);
  });

  test('gets another message if it names a guarded file', async () => {
    expect((await reasonsFor('rm -rf ~/.config/anyhook'))[0]).toEqual([
      'anyhook:self-protection',
      `${CLOSE}: rm is given ~/.config/anyhook`,
    ]);
  });
});
