import { describe, expect, test } from 'vitest';
import type { Services } from '../../../events/services.ts';
import { runnerOf } from './fixtures/scratch.ts';
import type { HookAPI, HookContext } from './types/index.ts';

/** Returns the context that a handler receives. */
async function contextWith(services?: Services, more: object = {}): Promise<HookContext> {
  let seen: HookContext | undefined;
  const keep = (pi: HookAPI) => pi.on('session_start', (_event, ctx) => void (seen = ctx));
  const { runner } = runnerOf([keep], { ...more, ...(services && { services }) });
  await runner.emit({ type: 'session_start' });
  return seen!;
}

describe('a host without services', () => {
  test('a host without services has the documented UI defaults', async () => {
    const { ui, hasUI } = await contextWith();
    expect(hasUI).toBe(false);
    expect([
      await ui.select('t', ['a']),
      await ui.confirm('t', 'm'),
      await ui.input('t'),
      await ui.editor('t', 'prefill'),
      await ui.custom(() => ({ render: () => [] })),
      ui.notify('m', 'error'),
      ui.setStatus('k', 'text'),
      ui.setEditorText('text'),
      ui.getEditorText(),
      ui.theme.fg('accent', 'text'),
    ]).toEqual([
      undefined,
      false,
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
      '',
      'text',
    ]);
  });

  test('a host without services is idle, with no queue, no model, and an empty session', async () => {
    const ctx = await contextWith();
    expect([
      ctx.cwd,
      ctx.isIdle(),
      ctx.hasQueuedMessages(),
      ctx.abort(),
      ctx.model,
      ctx.modelRegistry,
    ]).toEqual(['/project', true, false, undefined, undefined, undefined]);
    const { sessionManager: session } = ctx;
    expect([session.getEntries(), session.getSessionFile(), session.getLeafId(), session.getCwd()]).toEqual([
      [],
      undefined,
      null,
      '/project',
    ]);
  });

  test('a host without services answers session commands with "not cancelled"', async () => {
    const { runner } = runnerOf([]);
    const ctx = runner.createCommandContext();
    const answers = [
      await ctx.newSession(),
      await ctx.branch('e'),
      await ctx.navigateTree('e'),
      await ctx.waitForIdle(),
    ];
    expect(answers).toEqual([{ cancelled: false }, { cancelled: false }, { cancelled: false }, undefined]);
  });

  test('a host without services makes sendMessage and appendEntry throw', () => {
    let pi: HookAPI | undefined;
    const { runner } = runnerOf([(given) => void (pi = given)]);
    const send = () => pi!.sendMessage({ customType: 'x', content: 'y', display: true });
    expect(send).toThrow('pi.sendMessage was called before the runner was initialised');
    expect(() => pi!.appendEntry('x')).toThrow('pi.appendEntry was called before the runner was initialised');
    runner.initialize({});
    expect(send).toThrow("needs the host service 'messages'");
    expect(() => pi!.appendEntry('x')).toThrow("needs the host service 'messages'");
  });
});

describe('a host with services', () => {
  test('a host with services receives messages, entries and log lines', () => {
    const heard: unknown[] = [];
    let pi: HookAPI | undefined;
    runnerOf([(given) => void (pi = given)], {
      services: {
        messages: {
          send: (message, how) => void heard.push([message, how]),
          append: (type, data) => void heard.push([type, data]),
        },
        log: (level, message) => void heard.push([level, message]),
      },
    });
    pi!.sendMessage(
      { customType: 'note', content: 'hi', display: true },
      { triggerTurn: true, deliverAs: 'steer' },
    );
    pi!.appendEntry('state', { n: 1 });
    pi!.logger.warn('careful');
    expect(heard).toEqual([
      [
        { customType: 'note', content: 'hi', display: true },
        { trigger: true, as: 'steer' },
      ],
      ['state', { n: 1 }],
      ['warn', 'careful'],
    ]);
  });

  test('a host with services is queried for the session, read only', async () => {
    const entries = [
      { type: 'message', id: 'a', parentId: null, timestamp: '' },
      { type: 'message', id: 'b', parentId: 'a', timestamp: '' },
      { type: 'message', id: 'c', parentId: 'a', timestamp: '' },
    ];
    const view = { id: 's1', getSessionId: () => 's1', appendMessage: () => 'written' };
    const did: unknown[] = [];
    const services: Services = {
      session: {
        entries: () => entries,
        view: () => view,
        isIdle: () => false,
        hasQueued: () => true,
        abort: () => void did.push('abort'),
        act: async (what, how) => (did.push([what, how]), { cancelled: true }),
      },
    };
    const ctx = await contextWith(services, { model: () => 'm1', modelRegistry: 'r1' });
    ctx.abort();
    const { sessionManager: session } = ctx;
    expect([ctx.isIdle(), ctx.hasQueuedMessages(), ctx.model, ctx.modelRegistry]).toEqual([
      false,
      true,
      'm1',
      'r1',
    ]);
    expect(session.getBranch().map(({ id }) => id)).toEqual(['a', 'c']);
    expect(session.getBranch('b').map(({ id }) => id)).toEqual(['a', 'b']);
    expect([session.getSessionId(), session.getEntry('b'), session.getLeafId()]).toEqual([
      's1',
      entries[1],
      'c',
    ]);
    expect('appendMessage' in session).toBe(false);
    const command = runnerOf([], { services }).runner.createCommandContext();
    expect(await command.navigateTree('a', { summarize: true })).toEqual({ cancelled: true });
    expect(await command.branch('b')).toEqual({ cancelled: true });
    expect(did).toEqual([
      'abort',
      ['navigate', { targetId: 'a', summarize: true }],
      ['branch', { entryId: 'b' }],
    ]);
  });

  test('event handlers have no methods that could wait for themselves', async () => {
    expect(Object.keys(await contextWith())).toEqual([
      'mode',
      'scopedModels',
      'signal',
      'isProjectTrusted',
      'getContextUsage',
      'getSystemPrompt',
      'compact',
      'shutdown',
      'ui',
      'hasUI',
      'cwd',
      'sessionManager',
      'modelRegistry',
      'model',
      'isIdle',
      'abort',
      'hasQueuedMessages',
      'hasPendingMessages',
    ]);
  });

  test('the session has thirteen read methods, whatever the host provides', async () => {
    const names = [
      'getCwd',
      'getSessionDir',
      'getSessionId',
      'getSessionFile',
      'getLeafId',
      'getLeafEntry',
      'getEntry',
      'getLabel',
      'getBranch',
      'getHeader',
      'getEntries',
      'getTree',
      'getUsageStatistics',
    ];
    const shown = {
      entries: () => [],
      view: () => ({ getTree: () => ['root'], getHeader: () => ({ id: 's' }) }),
    };
    for (const ctx of [await contextWith(), await contextWith({ session: shown })])
      expect(Object.keys(ctx.sessionManager)).toEqual(names);
    const { sessionManager } = await contextWith({ session: shown });
    expect([sessionManager.getTree(), sessionManager.getHeader()]).toEqual([['root'], { id: 's' }]);
  });

  test('the theme is read on each access', async () => {
    let name = 'dark';
    const dialogs = {
      select: async () => undefined,
      confirm: async () => true,
      input: async () => undefined,
      notify() {},
    };
    const { ui } = await contextWith({
      ui: {
        ...dialogs,
        get theme() {
          return { name };
        },
      },
    });
    const before = ui.theme.name;
    name = 'light';
    expect([before, ui.theme.name]).toEqual(['dark', 'light']);
  });

  test('a host with services receives editor text and returns it', async () => {
    let draft = 'old';
    const dialogs = {
      select: async () => undefined,
      confirm: async () => true,
      input: async () => undefined,
      notify() {},
    };
    const { ui } = await contextWith({
      ui: { ...dialogs, setEditorText: (text) => void (draft = text), getEditorText: () => draft },
    });
    ui.setEditorText(`${ui.getEditorText()} and new`);
    expect(draft).toBe('old and new');
  });
});
