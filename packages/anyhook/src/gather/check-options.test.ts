import { describe, expect, test } from 'vitest';
import { EVERYTHING } from '../events/capabilities.ts';
import { checkCan, checkOptions } from './check-options.ts';
import type { Options } from './options.ts';

const host = { name: 'test', can: {} };
const saying = (options: unknown): string => {
  try {
    checkOptions(options as Options);
    return '';
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError);
    return (error as TypeError).message;
  }
};

describe('invalid options', () => {
  test.each<[unknown, string]>([
    [undefined, 'createHooks: wants an object: { host: { name, can } }.'],
    [null, 'createHooks: wants an object: { host: { name, can } }.'],
    ['x', 'createHooks: expected an object, got a string ("x").'],
    [{}, 'createHooks: host: is missing: it needs { name, can }.'],
    [{ host: 'me' }, 'createHooks: host: expected an object, got a string ("me").'],
    [
      { host: { name: 'me' } },
      "createHooks: host.can: is missing: it needs how the host applies each effect, such as { 'tool.before': { deny: 'full' } }.",
    ],
    [{ host: { can: {} } }, 'createHooks: host.name: is missing: it needs a string: the name of the host.'],
    [
      { host: { name: 'me', can: 'everything' } },
      "createHooks: host.can: expected an object, got a string (\"everything\"). Write { 'tool.before': { deny: 'full' } }.",
    ],
    [{ host, sessionStore: 'files' }, 'createHooks: sessionStore: is "files". Did you mean "file"?'],
    [{ host, journl: false }, 'createHooks: journl: is not an option. Did you mean "journal"?'],
    [{ host, budgetMs: 5 }, 'createHooks: budgetMs: is not an option. Move it to limits: limits.budgetMs.'],
    [
      { host, limits: { budget: 5 } },
      'createHooks: limits.budget: is not an option. Did you mean "budgetMs"?',
    ],
    [
      { host, limits: { budgetMs: 0 } },
      'createHooks: limits.budgetMs: is 0. Write a whole number from 1 to 2147483647.',
    ],
    [{ host, cwd: 5 }, 'createHooks: cwd: expected a string, got a number (5).'],
    [{ host, settings: true }, 'createHooks: settings: expected an object, got a boolean (true).'],
    [
      { host, settings: { layers: ['usr'] } },
      'createHooks: settings.layers[0]: is "usr". Did you mean "user"?',
    ],
    [{ host, watch: { onStart: 'log' } }, 'createHooks: watch.onStart: wants a function.'],
    [{ host, signal: {} }, 'createHooks: signal: wants an AbortSignal.'],
    [{ host, services: { uii: 1 } }, 'createHooks: services.uii: is not an option. Did you mean "ui"?'],
    [
      { host, services: { ui: { confrim: async () => true } } },
      'createHooks: services.ui: wants an object with the functions select, confirm, input, notify.',
    ],
    [{ host, services: { log: console } }, 'createHooks: services.log: wants a function.'],
    [{ host, env: { DEPTH: 5 } }, 'createHooks: env.DEPTH: expected a string, got a number (5).'],
    [{ host, managed: {} }, 'createHooks: managed.folder: is missing: it needs a path.'],
    [
      { host, limits: { openMs: 0 } },
      'createHooks: limits.openMs: is 0. Write a whole number from 1 to 2147483647.',
    ],
    [
      { host: { ...host, tools: { run_it: { is: 'shel' } } } },
      'createHooks: host.tools.run_it.is: is "shel". Did you mean "shell"?',
    ],
    [
      { host: { ...host, tools: { run_it: { args: {} } } } },
      "createHooks: host.tools.run_it.is: is missing: it needs the common tool name, such as 'shell'.",
    ],
    [
      { host: { ...host, tools: { run_it: { is: 'shell', args: { comand: 'line' } } } } },
      'createHooks: host.tools.run_it.args.comand: shell has no such argument. Did you mean "command"?',
    ],
    [
      {
        host,
        settings: { sources: [{ dialect: 'anyhook', txt: '{}', place: { layer: 'usr', file: 'x' } }] },
      },
      'createHooks: settings.sources[0].txt: is not an option. Did you mean "text"?\n' +
        'createHooks: settings.sources[0].place.layer: is "usr". Did you mean "user"?\n' +
        'createHooks: settings.sources[0].text: is missing: it needs the settings.',
    ],
    ...[new Map(), new Set(), Promise.resolve([])].map((hooks): [unknown, string] => [
      { host, hooks },
      'createHooks: hooks: wants a list of defineHook(…), or functions by event: { "tool.before": (event) => … }.',
    ]),
    [{ host, services: () => {} }, 'createHooks: services: expected an object, got a function.'],
    [
      { host, hooks: () => {} },
      'createHooks: hooks: wants a list of defineHook(…), or functions by event: { "tool.before": (event) => … }.',
    ],
  ])('checkOptions names the invalid option and the expected value in %o', (options, said) => {
    expect(saying(options)).toBe(said);
  });

  test('checkOptions reports all invalid options, not only the first', () => {
    expect(saying({ host: {}, cwd: 1 }).split('\n')).toHaveLength(3);
  });

  test('checkOptions reports an invalid value that contains itself', () => {
    const round: Record<string, unknown> = {};
    round['self'] = round;
    expect(saying({ host, cwd: round })).toBe(
      'createHooks: cwd: expected a string, got an object (cannot be shown).',
    );
  });

  test('checkOptions accepts missing, undefined and valid options', () => {
    const controller = new AbortController();
    const sound: Options = {
      host: {
        ...host,
        version: '1',
        tools: { run_it: { is: 'shell', args: { command: 'line' } } },
      },
      hooks: [{ 'tool.before': () => undefined }],
      services: {
        log() {},
        model: new (class {
          current() {}
        })(),
      },
      cwd: '.',
      home: '/home',
      env: process.env,
      settings: {
        layers: ['user'],
        dialects: ['opta'],
        without: ['goose'],
        sources: [{ dialect: 'opta', text: '', place: { layer: 'user', file: 'x', vars: {} } }],
      },
      modules: { files: ['a.ts'], isolate: 'all', loadMs: 5, handlerMs: 5, scripts: 'run' },
      trust: { hashes: ['a'], selfProtection: false },
      journal: { folder: '/j', required: true, secrets: ['s'] },
      limits: { budgetMs: 5, shadow: true, only: ['a'] },
      watch: { onStart() {}, onEnd() {}, onLate() {} },
      signal: controller.signal,
    };
    const nothing = Object.fromEntries(Object.keys(sound).map((key) => [key, undefined]));
    expect([sound, { ...nothing, host }, { host, settings: false, journal: false }].map(saying)).toEqual([
      '',
      '',
      '',
    ]);
  });
});

describe('checkCan', () => {
  test.each<[object, string, string]>([
    [
      { 'tool.befor': { deny: 'full' } },
      'host.can["tool.befor"]',
      'unknown event \'tool.befor\'. Did you mean "tool.before"?',
    ],
    [
      { 'tool.before': { dney: 'full' } },
      'host.can["tool.before"].dney',
      'unknown effect \'dney\'. Did you mean "deny"?',
    ],
    [
      { 'tool.denied': { set: 'full' } },
      'host.can["tool.denied"].set',
      'set has no effect on tool.denied. Supported there: retry, context, notice.',
    ],
    [
      { 'tool.before': { deny: 'ful' } },
      'host.can["tool.before"].deny',
      "is not a valid grade. Write 'full', { as: 'deny' } or { as: 'notice' }.",
    ],
    [
      { 'tool.before': { ask: { as: 'allow' } } },
      'host.can["tool.before"].ask',
      "is not a valid grade. Write 'full', { as: 'deny' } or { as: 'notice' }.",
    ],
    [
      { 'tool.before': { ask: { as: 'deny', when: 'never' } } },
      'host.can["tool.before"].ask',
      "is not a valid grade. Write 'full', { as: 'deny' } or { as: 'notice' }.",
    ],
    [
      { 'session.start': { give: true } },
      'host.can["session.start"].give',
      "is not a valid grade. Write 'full', { as: 'deny' }, { as: 'notice' } or { only: [gifts] }.",
    ],
    [
      { 'session.start': { give: { only: ['titl'] } } },
      'host.can["session.start"].give.only[0]',
      'unknown gift \'titl\'. Did you mean "title"?',
    ],
    [
      { 'tool.before': true },
      'host.can["tool.before"]',
      "expected an object, got a boolean (true). Write { allow: 'full' }.",
    ],
    [
      { 'tool.before': ['deny'] },
      'host.can["tool.before"]',
      'expected an object, got a list (["deny"]). Write { deny: \'full\' }.',
    ],
  ])('checkCan reports %o as a problem with a remedy', (can, key, said) => {
    expect(
      checkCan(can).map((p) => [p.severity, p.key, [p.message, p.remedy].filter(Boolean).join(' ')]),
    ).toEqual([['error', key, said]]);
  });

  test('checkCan accepts full, empty and graded capability tables', () => {
    const graded = {
      'tool.before': { ask: { as: 'deny' }, context: { as: 'notice' } },
      'session.start': { give: { only: ['title'] } },
    } as const;
    const undefined_ = { 'tool.before': undefined, 'tool.after': { set: undefined } } as object;
    expect([EVERYTHING, {}, graded, undefined_].flatMap(checkCan)).toEqual([]);
  });
});
