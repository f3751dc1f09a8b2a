import { expect, test } from 'vitest';
import { isCheckDue, isNewer, outsideProjects, updateNotice } from './update-notice.ts';

const DAY_MS = 86_400_000;

test('a notice is shown once a day if a newer release is known', () => {
  const state = { latest: '0.3.0', shownAt: 10 * DAY_MS };
  expect(updateNotice(state, '0.2.0', 10 * DAY_MS + 1)).toBe(undefined);
  expect(updateNotice(state, '0.2.0', 11 * DAY_MS)).toBe(
    'anyhook 0.3.0 is available (this is 0.2.0). To update: npm install -g anyhook',
  );
  expect(updateNotice({}, '0.2.0', 11 * DAY_MS)).toBe(undefined);
});

test('a check is due a day after the last one, or if there was none', () => {
  expect([{}, { checkedAt: DAY_MS }, { checkedAt: 2 }].map((state) => isCheckDue(state, DAY_MS + 1))).toEqual(
    [true, false, false],
  );
});

test.each([
  ['0.2.1', '0.2.0', true],
  ['0.10.0', '0.9.9', true],
  ['1.0.0', '1.0.0-rc.1', true],
  ['0.2.0', '0.2.0', false],
  ['0.1.9', '0.2.0', false],
  ['1.0.0-rc.1', '0.9.0', false],
  ['\u001b[31m9.9.9', '0.2.0', false],
  ['', '0.2.0', false],
])('whether %j is newer than %j', (latest, version, expected) => {
  expect(isNewer(latest, version)).toBe(expected);
});

test('npm is not looked for in the project, in node_modules or in relative folders', () => {
  const path = '/w/project/bin:/usr/bin:/home/me/x/node_modules/.bin:./bin::/opt/node/bin';
  expect(outsideProjects(path, '/w/project')).toBe('/usr/bin:/opt/node/bin');
});
