import { expect, test } from 'vitest';
import { ServiceMissing, type Services, withDefaults } from './services.ts';

const exec = async () => ({ stdout: '', stderr: '', code: 0, killed: false });

test('a host without services gets the documented no-ops', async () => {
  const { ui, log, exec: run } = withDefaults({}, exec);
  expect(
    await Promise.all([
      ui.select('t', ['a']),
      ui.confirm('t', 'm'),
      ui.input('t'),
      ui.editor?.('t'),
      ui.custom?.(null),
    ]),
  ).toEqual([undefined, false, undefined, undefined, undefined]);
  expect([ui.notify('n'), ui.status?.('k', 's'), ui.getEditorText?.(), log('info', 'm'), run]).toEqual([
    undefined,
    undefined,
    '',
    undefined,
    exec,
  ]);
});

test('services of the host are passed on unchanged', () => {
  const services: Services = {
    log: () => {},
    exec: async () => ({ stdout: 'x', stderr: '', code: 1, killed: true }),
    messages: { send() {} },
  };
  expect(withDefaults(services, exec)).toMatchObject(services);
});

test('the error names the missing service', () => {
  const error = new ServiceMissing('judge', 'a prompt hook');
  expect([error.name, error.service, error.message]).toEqual([
    'ServiceMissing',
    'judge',
    "a prompt hook needs the host service 'judge', which this host does not offer",
  ]);
});
