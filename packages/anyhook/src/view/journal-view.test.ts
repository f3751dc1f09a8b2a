import { appendFileSync, mkdirSync, readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { deny } from '../events/effects.ts';
import { GENESIS, lineHash } from '../journal/chain.ts';
import { hook } from '../journal/fixtures/fire.ts';
import { fire } from '../journal/fixtures/fire.ts';
import { makeLateRecord, makeRecord } from '../journal/index.ts';
import { type Asker, asker, until, viewGround, write } from './fixtures/ground.ts';
import type {
  ChainVerdict,
  HooksPart,
  RefusalSheet,
  SessionPart,
  ShownFire,
  StreamMessage,
  ViewState,
} from './wire.ts';

const whole = ({ json }: Asker) =>
  until(
    () => json<ViewState>('/api/state'),
    ({ counted }) => counted.isWhole,
  );
const partOf = ({ json }: Asker, key = 's', more = '') => json<SessionPart>(`/api/session?key=${key}${more}`);
const subjects = ({ entries }: SessionPart) =>
  entries.map((entry) => (entry.kind === 'fire' ? entry.subject : entry.kind));

/** Returns the first message of the stream that matches and skips earlier ones. */
async function heard(stream: AsyncGenerator<unknown>, fits: (message: StreamMessage) => boolean) {
  for (;;) {
    const { value, done } = await stream.next();
    if (done === true) throw new Error('the stream has ended');
    if (fits(value as StreamMessage)) return value as StreamMessage;
  }
}

const refused = (text: string) => ({
  verdict: 'deny' as const,
  reasons: [{ by: 'guard', text }],
  runs: [{ hook: 'guard', round: 1 as const, ms: 12, answer: { effects: [deny(text)] } }],
});

describe('the view of a journal', () => {
  test('the view lists sessions with their counts', async () => {
    const ground = viewGround();
    const journal = ground.open('s');
    write(journal, 'ls');
    write(journal, 'rm -rf /', refused('not that'));
    write(journal, 'deploy', { verdict: 'ask', reasons: [{ by: 'guard', text: 'sure?' }] });
    const { sessions, counted, older } = await whole(await asker(ground));
    expect({ older, damaged: counted.damaged, records: counted.records }).toEqual({
      older: 0,
      damaged: 0,
      records: 3,
    });
    expect(sessions).toEqual([
      {
        key: 's',
        id: 's',
        agent: 'test-host',
        project: '/home/me/project',
        startedAt: expect.any(String),
        lastAt: counted.upTo,
        fires: 3,
        prompts: 0,
        calls: 3,
        refusals: 1,
        openQuestions: 1,
        failures: 0,
        hookMs: 12.75,
        damaged: 0,
        isCounted: true,
      },
    ]);
  });

  test('the view sends a new fire to a page that shows the session, and its counts to every page', async () => {
    const ground = viewGround();
    const journal = ground.open('s');
    write(journal, 'before');
    const asking = await asker(ground);
    await whole(asking);
    const { to } = await partOf(asking);
    const [watching, listing] = [asking.stream(`?key=s&from=${to}`), asking.stream()];
    await Promise.all([watching.next(), listing.next()]); // where the counts end
    write(journal, 'after');
    const [news, row] = await Promise.all([
      heard(watching, ({ kind }) => kind === 'entries'),
      heard(listing, ({ kind }) => kind === 'session'),
    ]);
    expect(news).toMatchObject({ kind: 'entries', key: 's', entries: [{ subject: 'shell after' }] });
    expect(row).toMatchObject({ kind: 'session', row: { key: 's', calls: 2 } });
  });

  test('a record written between opening a session and its stream is neither lost nor repeated', async () => {
    const ground = viewGround();
    const journal = ground.open('s');
    write(journal, 'one');
    const asking = await asker(ground);
    await whole(asking);
    const { to } = await partOf(asking);
    write(journal, 'two');
    await until(
      () => asking.json<ViewState>('/api/state'),
      ({ counted }) => counted.records === 2,
    );
    const stream = asking.stream(`?key=s&from=${to}`);
    const first = await heard(stream, ({ kind }) => kind === 'entries');
    write(journal, 'three');
    const second = await heard(stream, ({ kind }) => kind === 'entries');
    const told = [first, second].map((one) =>
      one.kind === 'entries' ? one.entries.map((e) => (e as ShownFire).subject) : [],
    );
    expect(told).toEqual([['shell two'], ['shell three']]);
  });

  test('a damaged line is shown in place with the result of the chain check', async () => {
    const ground = viewGround();
    const journal = ground.open('s');
    for (const command of ['one', 'two', 'three']) write(journal, command);
    journal.close();
    const text = readFileSync(journal.file, 'utf8');
    writeFileSync(journal.file, text.replace('"command":"two"', '"command":"TWO"'));
    const asking = await asker(ground);
    expect((await whole(asking)).counted).toMatchObject({ records: 2, damaged: 1 });
    const part = await partOf(asking);
    expect(subjects(part)).toEqual(['shell one', 'damage', 'shell three']);
    expect(part.entries[1]).toMatchObject({ kind: 'damage', why: 'was modified after it was written' });
    const chain = await asking.json<ChainVerdict>('/api/chain?key=s');
    expect(chain.isSound).toBe(false);
    expect(chain.problems.join()).toContain('line 2 was modified after it was written');
  });

  test('a complete chain is reported as complete', async () => {
    const ground = viewGround();
    const journal = ground.open('s');
    write(journal, 'one');
    journal.close();
    const asking = await asker(ground);
    expect(await asking.json('/api/chain?key=s')).toEqual({
      isSound: true,
      records: 1,
      problems: [],
      notes: [],
    });
  });

  test('half a line in a session that is being written is not damage, and appears once complete', async () => {
    const ground = viewGround();
    const journal = ground.open('s');
    write(journal, 'one');
    write(journal, 'two');
    journal.close();
    const bytes = readFileSync(journal.file);
    const half = bytes.length - 100;
    truncateSync(journal.file, half);
    const asking = await asker(ground);
    expect((await whole(asking)).counted).toMatchObject({ records: 1, damaged: 0 });
    expect(subjects(await partOf(asking))).toEqual(['shell one']);
    appendFileSync(journal.file, bytes.subarray(half));
    await until(
      () => asking.json<ViewState>('/api/state'),
      ({ counted }) => counted.records === 2,
    );
    expect(subjects(await partOf(asking))).toEqual(['shell one', 'shell two']);
  });

  test('a removed journal folder is reported, and read again when it returns', async () => {
    const ground = viewGround();
    write(ground.open('s'), 'one');
    const asking = await asker(ground);
    await whole(asking);
    const state = () => asking.json<ViewState>('/api/state');
    renameSync(ground.journal, `${ground.journal}-away`);
    const gone = await until(state, ({ trouble }) => trouble !== undefined);
    expect(gone.trouble).toContain('was removed');
    expect(gone.counted.records).toBe(1);
    expect((await asking.ask('/api/session?key=s')).status).toBe(404);
    renameSync(`${ground.journal}-away`, ground.journal);
    const back = await until(state, ({ trouble, counted }) => trouble === undefined && counted.isWhole);
    expect(back.counted.records).toBe(1);
  });

  test('an empty journal is reported, and its first record appears', async () => {
    const ground = viewGround();
    const asking = await asker(ground);
    expect((await whole(asking)).trouble).toContain('The first record creates it');
    write(ground.open('s'), 'one');
    const state = await until(
      () => asking.json<ViewState>('/api/state'),
      ({ counted }) => counted.records === 1,
    );
    expect([state.trouble, state.sessions.length]).toEqual([undefined, 1]);
  });

  test('a file that was replaced is counted again, not twice', async () => {
    const ground = viewGround();
    const journal = ground.open('s');
    for (const command of ['one', 'two', 'three']) write(journal, command);
    const asking = await asker(ground);
    await whole(asking);
    const [first] = readFileSync(journal.file, 'utf8').split('\n');
    writeFileSync(journal.file, `${first}\n`);
    const state = await until(
      () => asking.json<ViewState>('/api/state'),
      ({ counted }) => counted.records === 1,
    );
    expect(state.sessions).toMatchObject([{ calls: 1 }]);
  });

  test('a record of another version is shown as far as it is understood', async () => {
    const ground = viewGround();
    const file = join(ground.journal, 'old.jsonl');
    mkdirSync(dirname(file), { recursive: true });
    const open = `{"v":9,"seq":1,"writer":"w","prev":"${GENESIS}","at":"2020-01-01T00:00:00.000Z","event":"later.event","more":1,"hooks":"none"`;
    writeFileSync(file, `${open},"hash":"${lineHash(Buffer.from(open))}"}\n`);
    const asking = await asker(ground);
    expect((await whole(asking)).counted).toMatchObject({ records: 1, damaged: 0 });
    expect((await partOf(asking, 'old')).entries).toMatchObject([
      { kind: 'fire', event: 'later.event', role: 'other', version: 9, verdict: 'none', runs: [] },
    ]);
  });

  test('the view pages back through a long session, every line once and in order', async () => {
    const ground = viewGround();
    const journal = ground.open('s');
    const commands = Array.from({ length: 450 }, (_, at) => `c${at}`);
    for (const command of commands) write(journal, command);
    const asking = await asker(ground);
    await whole(asking);
    let part = await partOf(asking);
    let all = subjects(part);
    expect(all.length).toBeLessThan(450);
    while (part.from > 0) {
      part = await partOf(asking, 's', `&before=${part.from}`);
      all = [...subjects(part), ...all];
    }
    expect(all).toEqual(commands.map((command) => `shell ${command}`));
  });

  test('the view counts what each hook did and shows where it fires', async () => {
    const ground = viewGround();
    const settings = join(ground.home, '.config/anyhook/hooks.json');
    mkdirSync(dirname(settings), { recursive: true });
    writeFileSync(settings, JSON.stringify({ hooks: { 'turn.stop': [{ name: 'mine', run: 'true' }] } }));
    const journal = ground.open('s');
    for (let at = 0; at < 19; at++) write(journal, `c${at}`);
    write(journal, 'rm', refused('not that'));
    const asking = await asker(ground);
    await whole(asking);
    const { hooks, days } = await asking.json<HooksPart>('/api/hooks');
    expect(days).toMatchObject([{ none: 19, deny: 1 }]);
    const guard = hooks.find(({ id }) => id === 'guard');
    expect(guard).toMatchObject({ runs: 20, refusals: 1, failures: 0, max: 12, lastSaid: 'deny: not that' });
    expect(guard?.p50).toBeCloseTo(1.5, 1);
    expect(guard?.agents.find(({ agent }) => agent === 'Claude Code')?.kind).toBe('own');
    expect(guard?.agents.find(({ agent }) => agent === 'test-host')).toMatchObject({ runs: 20 });
    expect(hooks.find(({ name }) => name === 'mine')).toMatchObject({ runs: 0, trust: 'yours' });
  });

  test('the view shows how often a hook in shadow mode would have refused', async () => {
    const ground = viewGround();
    const journal = ground.open('s');
    const shadowed = hook('new', { shadow: true });
    for (let at = 0; at < 5; at++) {
      const effects = at < 2 ? [deny('no')] : [];
      const made = fire(
        { command: 'x' },
        {
          runs: [
            {
              hook: 'new',
              round: 1,
              ms: 1,
              answer: { effects },
              ignored: effects.map((effect) => ({ effect, why: 'shadow' })),
            },
          ],
        },
      );
      journal.write(makeRecord({ ...made, hookOf: () => shadowed }));
    }
    const asking = await asker(ground);
    await whole(asking);
    const { hooks } = await asking.json<HooksPart>('/api/hooks');
    expect(hooks.find(({ id }) => id === 'new')).toMatchObject({
      refusals: 0,
      shadow: { refused: 2, of: 5 },
    });
  });

  test('the end of a background hook is matched to its start by id', async () => {
    const ground = viewGround();
    const journal = ground.open('s');
    const made = fire(
      { command: 'x' },
      { runs: [{ hook: 'guard', round: 1, ms: 0, skipped: 'in the background', late: 'w1' }] },
    );
    journal.write(makeRecord(made));
    journal.write(
      makeLateRecord({ ...made, run: { hook: 'guard', round: 1, ms: 1200, late: 'w1', code: 0 } }),
    );
    const asking = await asker(ground);
    await whole(asking);
    const { entries } = await partOf(asking);
    expect(entries).toMatchObject([
      { kind: 'fire', runs: [{ late: 'w1', background: 'started in the background, no end recorded yet' }] },
      { kind: 'end', runs: [{ late: 'w1', background: 'ran in the background, exit 0, 1.2 s' }] },
    ]);
  });

  test('the view leads from a refusal to file, line, rule and required change, without secrets', async () => {
    const ground = viewGround();
    const file = join(ground.cwd, 'hooks.json');
    writeFileSync(
      file,
      '{\n  "a": 1,\n  "token": "sk-ant-api03-AAAABBBBCCCCDDDDEEEEFFFFGGGG",\n  "run": "./guard.sh"\n}\n',
    );
    const journal = ground.open('s');
    const guard = hook('guard', { origin: { layer: 'user', file, line: 4 }, matcher: 'Bash(git push*)' });
    journal.write(
      makeRecord({ ...fire({ command: 'git push' }, refused('not by an agent')), hookOf: () => guard }),
    );
    const asking = await asker(ground);
    await whole(asking);
    const sheet = await asking.json<RefusalSheet>('/api/refusal?key=s&at=0&by=guard');
    expect(sheet).toMatchObject({ by: 'guard', reason: 'not by an agent', place: 'hooks.json:4' });
    expect(sheet.source.find(({ isIt }) => isIt)).toEqual({
      number: 4,
      text: '  "run": "./guard.sh"',
      isIt: true,
    });
    expect(JSON.stringify(sheet)).not.toContain('BBBBCCCC');
    expect(sheet.rule).toEqual([
      { name: 'Event', text: 'tool.before (claude-code: PreToolUse)' },
      { name: 'Matcher', text: 'Bash(git push*)' },
      { name: 'Call', text: 'shell git push' },
      { name: 'Runs', text: './guard.sh --strict' },
    ]);
    expect(sheet.changes.flatMap(({ command }) => command ?? [])).toEqual([
      'anyhook hooks',
      "anyhook explain 'git push'",
      'anyhook why --last deny --session s-1 --call call_1',
    ]);
    // A file that no record names is not readable through the view.
    expect((await asking.ask('/api/refusal?key=s&at=0&by=other')).status).toBe(404);
    expect((await asking.ask('/api/refusal?key=s&at=1&by=guard')).status).toBe(404);
  });
});
