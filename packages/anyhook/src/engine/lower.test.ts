import { describe, expect, test } from 'vitest';
import { EVERYTHING, type Capabilities, type Grades } from '../events/capabilities.ts';
import { STRICTNESS } from '../events/effects.ts';
import type { Event } from '../events/event.ts';
import { type Ruling, silentOutcome } from '../events/outcome.ts';
import { before, event, go, hook } from './fixtures/stage.ts';
import { lower } from './lower.ts';

const what = before('x');
const on = (grades: Grades): Capabilities => ({ 'tool.before': grades });
const outcome = (over: Partial<Ruling>): Ruling => ({ ...silentOutcome(what), ...over });
const reasons = [{ by: 'h', text: 'because' }];
const LOUD = (verdict: string) => [
  { by: 'host', to: 'person', text: `${verdict} is NOT enforced by this host` },
];

describe('a verdict', () => {
  const table: [string, Ruling['verdict'], Parameters<typeof on>[0], Ruling['verdict'], boolean][] = [
    ['deny where the host can', 'deny', { deny: 'full' }, 'deny', false],
    ['deny where it cannot is said, loudly', 'deny', {}, 'deny', true],
    ['deny as a notice is no denial and said', 'deny', { deny: { as: 'notice' } }, 'deny', true],
    ['ask where it can', 'ask', { ask: 'full' }, 'ask', false],
    ['ask as deny', 'ask', { ask: { as: 'deny' }, deny: 'full' }, 'deny', false],
    ['ask where nobody can answer', 'ask', { deny: 'full' }, 'deny', false],
    ['ask as a notice would be weaker', 'ask', { ask: { as: 'notice' }, deny: 'full' }, 'deny', false],
    ['ask where nothing can be refused', 'ask', {}, 'ask', true],
    ['ask as a deny that is none', 'ask', { ask: { as: 'deny' } }, 'ask', true],
    ['defer is not lowered to ask', 'defer', { ask: 'full', deny: 'full' }, 'deny', false],
    ['allow that cannot be passed on', 'allow', { deny: 'full' }, 'none', false],
    ['allow where it can', 'allow', { allow: 'full' }, 'allow', false],
    ['none stays none', 'none', {}, 'none', false],
  ];
  test.each(table)('%s', (_title, verdict, grades, expected, loud) => {
    const low = lower(outcome({ verdict, reasons }), what, on(grades));
    expect([low.verdict, low.said]).toEqual([expected, loud ? LOUD(verdict) : []]);
    expect(low.lost.length > 0).toBe(expected !== verdict || loud);
    if (verdict !== 'allow') expect(STRICTNESS[low.verdict]).toBeGreaterThanOrEqual(STRICTNESS[verdict]);
  });

  test('a verdict that was made stricter keeps its reasons', () => {
    const low = lower(outcome({ verdict: 'ask', reasons }), what, on({ deny: 'full' }));
    expect([low.reasons, low.lost]).toEqual([reasons, ['ask: refused instead']]);
  });

  test('a refusal by the host drops texts for the model', () => {
    const said: Ruling['said'] = [
      { by: 'h', to: 'model', text: 'c' },
      { by: 'h', to: 'person', text: 'n' },
    ];
    const low = lower(
      outcome({ verdict: 'ask', reasons, said }),
      what,
      on({ deny: 'full', context: 'full', notice: 'full' }),
    );
    expect(low.said).toEqual([said[1]]);
  });
});

describe('a change the host cannot make', () => {
  const changed = [{ by: 'h', at: 'input.command' }];
  const payload = { tool: 'shell', input: { command: 'y' } };
  const text = 'this host cannot change input.command';

  test('a change that the host cannot make is refused on behalf of the hook, with a remedy', () => {
    const low = lower(outcome({ changed, payload }), what, on({ deny: 'full' }));
    const said = `${text}; to switch off the hook that asks for it, run: anyhook hooks`;
    expect(low).toEqual(outcome({ verdict: 'deny', reasons: [{ by: 'h', text: said }], lost: [text] }));
  });

  test('a change that the host cannot make is refused even if the call was approved or asked about', () => {
    for (const verdict of ['allow', 'ask'] as const)
      expect(
        lower(
          outcome({ changed, payload, verdict, reasons }),
          what,
          on({ deny: 'full', ask: 'full', allow: 'full' }),
        ).verdict,
      ).toBe('deny');
  });

  test('a change that the host cannot make is reported if the event cannot be refused', () => {
    const after: Event = event('tool.after', { tool: 't', input: {}, content: ['secret'] });
    const low = lower(
      outcome({ changed: [{ by: 'h', at: 'content' }], payload: { ...after.payload, content: ['***'] } }),
      after,
      { 'tool.after': { context: 'full' } },
    );
    expect([low.payload, low.changed, low.lost, low.verdict]).toEqual([
      after.payload,
      [],
      ['this host cannot change content'],
      'none',
    ]);
    expect(low.said).toEqual([{ by: 'host', to: 'person', text: 'this host cannot change content' }]);
  });

  test('a change next to an unenforced deny is reported too', () => {
    const low = lower(outcome({ changed, payload, verdict: 'deny', reasons }), what, {});
    expect([low.lost, low.reasons, low.payload]).toEqual([
      [text, 'deny is NOT enforced by this host'],
      reasons,
      what.payload,
    ]);
  });

  test('a refusal of a change that the host cannot enforce is reported', () => {
    const low = lower(outcome({ changed, payload }), what, {});
    expect([low.verdict, low.said]).toEqual(['deny', LOUD('deny')]);
  });
});

describe('an addition that the host cannot make', () => {
  const prompt = event('prompt.submit', { prompt: 'do it' });
  const can: Capabilities = { 'prompt.submit': { deny: 'full', context: 'full' } };
  const asked = (payload: object, ...fields: string[]): Ruling => ({
    ...silentOutcome(prompt),
    payload: { ...prompt.payload, ...payload },
    changed: fields.map((at) => ({ by: 'h', at })),
  });
  const part = (text: string) => ({ type: 'text', text });
  const table: [string, Ruling, string[]][] = [
    ['a part behind the prompt', asked(pushed('do it\nwith care'), 'prompt', 'parts'), ['with care']],
    ['text around it', asked({ prompt: 'first\ndo it\nthen' }, 'prompt'), ['first', 'then']],
    ['nothing but the prompt in another form', asked({ parts: [part('do it')] }, 'parts'), []],
    [
      'a picture, which is named',
      asked({ parts: [part('do it'), { type: 'image', data: '' }] }, 'parts'),
      ['(a part of type image that cannot be shown here)'],
    ],
  ];
  function pushed(text: string) {
    return { prompt: text, parts: text.split('\n').map(part) };
  }
  test.each(table)('an added text is passed as context: %s', (_title, ruling, texts) => {
    const low = lower(ruling, prompt, can);
    expect([low.verdict, low.payload, low.changed, low.lost]).toEqual(['none', prompt.payload, [], []]);
    expect(low.said).toEqual(texts.map((text) => ({ by: 'h', to: 'model', text })));
  });

  test('an added text is lost without a refusal if the host has no context', () => {
    const low = lower(table[0]![1], prompt, { 'prompt.submit': { deny: 'full' } });
    expect([low.verdict, low.said, low.lost]).toEqual(['none', [], ['context from h']]);
  });

  test.each([
    ['what was written is replaced', asked({ prompt: 'do not' }, 'prompt')],
    ['a part is taken away', asked({ prompt: 'it', parts: [] }, 'prompt', 'parts')],
    ['something else is changed as well', asked({ prompt: 'do it now', message: {} }, 'prompt', 'message')],
  ])('a change is refused as no mere addition if %s', (_title, ruling) => {
    expect(lower(ruling, prompt, can).verdict).toBe('deny');
  });

  test('an addition to a call is refused, because it makes another call', () => {
    const low = lower(
      outcome({
        changed: [{ by: 'h', at: 'input.command' }],
        payload: { tool: 'shell', input: { command: 'x y' } },
      }),
      what,
      on({ deny: 'full', context: 'full' }),
    );
    expect(low.verdict).toBe('deny');
  });

  test('a message that cannot be inserted becomes context, a title is lost', () => {
    const given: Ruling['given'] = [
      { by: 'h', what: 'message', value: { customType: 'plan', content: 'mind the plan', display: true } },
      { by: 'h', what: 'title', value: 'a title' },
    ];
    const low = lower({ ...silentOutcome(prompt), given }, prompt, {
      'prompt.submit': { context: 'full', give: { only: ['title'] } },
    });
    expect([low.given, low.said, low.lost]).toEqual([
      [given[1]],
      [{ by: 'h', to: 'model', text: 'mind the plan' }],
      [],
    ]);
  });
});

describe('the rest', () => {
  test('context that the host cannot pass on is reported as lost, or becomes a notice', () => {
    const said: Ruling['said'] = [{ by: 'h', to: 'model', text: 'c' }];
    expect(lower(outcome({ said }), what, {})).toMatchObject({ said: [], lost: ['context from h'] });
    expect(lower(outcome({ said }), what, on({ context: { as: 'notice' } }))).toMatchObject({
      said: [{ by: 'h', to: 'person', text: 'c' }],
      lost: [],
    });
  });

  test('a halt that the host cannot do becomes a denial, or a notice if it cannot deny', () => {
    const flow = { halt: 'enough' };
    const low = lower(outcome({ flow }), what, on({ deny: 'full' }));
    expect([low.verdict, low.flow, low.reasons]).toEqual([
      'deny',
      {},
      [{ by: 'host', text: 'this host cannot halt: enough' }],
    ]);
    expect(lower(outcome({ flow }), what, {})).toMatchObject({
      verdict: 'deny',
      flow: {},
      said: LOUD('deny'),
      lost: ['halt (enough)', 'deny is NOT enforced by this host'],
    });
    expect(lower(outcome({ flow }), what, on({ halt: 'full' }))).toMatchObject({
      verdict: 'none',
      flow,
      lost: [],
    });
  });

  test('a halt next to an enforced denial is only reported', () => {
    const low = lower(outcome({ verdict: 'deny', reasons, flow: { halt: '' } }), what, on({ deny: 'full' }));
    expect([low.verdict, low.reasons, low.said, low.lost]).toEqual(['deny', reasons, [], ['halt']]);
  });

  test('a resume and a gift that the host cannot use are reported as lost', () => {
    const stop = event('turn.stop', { active: false });
    const low = lower(
      outcome({ flow: { resume: 'tests are red' }, given: [{ by: 'h', what: 'title', value: 't' }] }),
      stop,
      { 'turn.stop': {} },
    );
    expect([low.flow, low.given, low.lost]).toEqual([{}, [], ['resume (tests are red)', 'title from h']]);
  });

  test('an outcome without effects is returned unchanged', () => {
    const quiet = outcome({});
    expect(lower(quiet, what, {})).toBe(quiet);
  });

  test('a host with all capabilities changes nothing', async () => {
    const full = await go(what, [
      hook('own', () => [
        { kind: 'set', at: ['input', 'command'], to: 'y' },
        { kind: 'ask' },
        { kind: 'halt' },
      ]),
      hook('own', () => ({ kind: 'context', text: 'c' })),
    ]);
    expect(lower(full, what, EVERYTHING)).toEqual(full);
  });
});

describe('texts of reasons', () => {
  const changed = [
    { by: 'a', at: 'input.command' },
    { by: 'b', at: 'input.timeout' },
  ];
  const payload = { tool: 'shell', input: { command: 'y', timeout: 1 } };
  const cannot = 'this host cannot change input.command, input.timeout';
  const refused = ['a', 'b'].map((by) => ({
    by,
    text: `${cannot}; to switch off the hook that asks for it, run: anyhook hooks`,
  }));

  test('a lost approval leaves no reason, and earlier losses are kept', () => {
    const low = lower(outcome({ verdict: 'allow', reasons, lost: ['before'] }), what, on({ deny: 'full' }));
    expect(low).toEqual(outcome({ lost: ['before', 'allow: the host asks as usual'] }));
  });

  test.each([
    ['ask', reasons],
    ['defer', reasons],
    ['allow', []],
    ['none', []],
  ] as const)('a refused change keeps what was asked: %s', (verdict, kept) => {
    const low = lower(
      outcome({ verdict, reasons, changed, payload }),
      what,
      on({ deny: 'full', ask: 'full' }),
    );
    expect(low).toEqual(outcome({ verdict: 'deny', reasons: [...refused, ...kept], lost: [cannot] }));
  });

  test('a change next to an enforced denial is not a loss', () => {
    const denied = outcome({ verdict: 'deny', reasons, changed, payload });
    for (const deny of ['full', { as: 'deny' }] as const)
      expect(lower(denied, what, on({ deny }))).toEqual(denied);
  });

  test("a question without a reason is refused with the host's own", () => {
    const asked = (...texts: string[]) =>
      lower(
        outcome({ verdict: 'ask', reasons: texts.map((text) => ({ by: 'h', text })) }),
        what,
        on({ deny: 'full' }),
      ).reasons.map(({ text }) => text);
    expect(asked('')).toEqual(['this host cannot ask: no reason given']);
    expect(asked('', 'x', 'y')).toEqual(['this host cannot ask: x; y', 'x', 'y']);
  });

  test("a halt without a reason is refused with the host's own", () => {
    const low = lower(outcome({ flow: { halt: '' } }), what, on({ deny: 'full' }));
    expect([low.reasons, low.lost]).toEqual([
      [{ by: 'host', text: 'this host cannot halt: no reason given' }],
      ['halt'],
    ]);
  });

  test('a notice is reported lost as a notice', () => {
    const said: Ruling['said'] = [{ by: 'h', to: 'person', text: 'n' }];
    const low = lower(outcome({ said }), what, on({ context: 'full' }));
    expect(low).toEqual(outcome({ lost: ['notice from h'] }));
  });

  test('gifts that the host supports are passed on, including messages', () => {
    const given: Ruling['given'] = [
      { by: 'h', what: 'message', value: { customType: 'plan', content: 'mind it', display: true } },
      { by: 'h', what: 'title', value: 't' },
    ];
    expect(lower(outcome({ given }), what, on({ give: 'full' }))).toEqual(outcome({ given }));
  });
});
