import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { acceptedHomesFile, acceptHomes } from './accepted-homes.ts';
import { movedInto } from './moved.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'accepted-homes-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function container() {
  const base = mkdtempSync(join(root, 'machine-'));
  const [account, project, other] = ['account', 'project', 'other'].map((name) => join(base, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [account, project, other]) mkdirSync(folder);
  const moved = (folder: string, home: string) =>
    movedInto(folder, { HOME: home }, account).map(({ variable }) => variable);
  return { account, project, other, moved };
}
const accept = (project: string, account: string, folder = project) =>
  acceptHomes(project, account, [{ variable: 'HOME', folder }]);

test('a home folder that is the project is refused until the user accepts it', () => {
  const { account, project, moved } = container();
  expect(moved(project, project)).toEqual(['HOME']);
  accept(project, account);
  expect(moved(project, project)).toEqual([]);
});

test('an accepted home folder does not cover another project, another folder or another variable', () => {
  const { account, project, other, moved } = container();
  accept(project, account);
  mkdirSync(join(project, 'sub'));
  expect(moved(other, other)).toEqual(['HOME']);
  expect(moved(project, join(project, 'sub'))).toEqual(['HOME']);
  expect(movedInto(project, { XDG_CONFIG_HOME: project }, account)).toHaveLength(1);
});

test('a second accepted folder keeps the first', () => {
  const { account, project, moved } = container();
  accept(project, account);
  accept(project, account, join(project, 'sub'));
  expect([moved(project, project), moved(project, join(project, 'sub'))]).toEqual([[], []]);
});

test('a project that contains the account home cannot accept for itself', () => {
  const { account, moved } = container();
  const project = dirname(account);
  const home = join(project, 'other');
  expect(acceptedHomesFile(project, account)).toBe(undefined);
  expect(() => accept(project, account, home)).toThrow('is inside the project');
  expect(movedInto(project, { HOME: home }, account)[0]?.canBeAccepted).toBe(false);
  expect(moved(project, home)).toEqual(['HOME']);
});

test('a data folder that is a link into the project cannot accept for the project', () => {
  const { account, project, moved } = container();
  accept(project, account);
  const real = join(account, '.local/share/anyhook');
  rmSync(real, { recursive: true });
  mkdirSync(join(project, 'planted/accepted-homes'), { recursive: true });
  symlinkSync(join(project, 'planted'), real);
  expect(acceptedHomesFile(project, account)).toBe(undefined);
  expect(moved(project, project)).toEqual(['HOME']);
});

test('an acceptance that others can write, or that is copied from another project, does not count', () => {
  const { account, project, other, moved } = container();
  accept(project, account);
  const file = acceptedHomesFile(project, account)!;
  chmodSync(file, 0o666);
  expect(moved(project, project)).toEqual(['HOME']);
  chmodSync(file, 0o600);
  expect(moved(project, project)).toEqual([]);
  const content = JSON.stringify({ project, homes: [{ variable: 'HOME', folder: other }] });
  writeFileSync(acceptedHomesFile(other, account)!, content, { mode: 0o600 });
  expect(moved(other, other)).toEqual(['HOME']);
});

test('a home folder that every user can change is refused even if it was accepted', () => {
  const { account, project, moved } = container();
  accept(project, account);
  chmodSync(project, 0o777);
  expect(moved(project, project)).toEqual(['HOME']);
});
