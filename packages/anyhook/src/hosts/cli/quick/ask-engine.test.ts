import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { heardBy } from '../../warm/file-client.ts';
import { enginePlaces } from '../../warm/places.ts';
import { answerIn, answerText, TAKEN } from '../../warm/wire.ts';
import { askEngine } from './ask-engine.ts';

const folder = mkdtempSync(join(tmpdir(), 'ah-ask-'));
const places = enginePlaces(folder);
const heard = heardBy(places, process.pid);
const STALE = `${TAKEN}${answerText({ code: 0, stdout: '', stderr: '' })}`;
/** Listens, and never says a word. */
const engine = createServer();

beforeEach(async () => {
  for (const path of [places.spool, places.asked]) mkdirSync(path, { recursive: true });
  await new Promise<void>((resolve) => engine.listen(places.socket, resolve));
});
afterEach(() => {
  engine.close();
  rmSync(folder, { recursive: true, force: true });
});
const ask = () => askEngine(folder, { bin: '/nobody', argv: ['--as', 'codex'], text: '{}' });

test.runIf(process.platform === 'linux')(
  'what a process with the same number was once told is no answer, also where it cannot be taken away',
  () => {
    expect(answerIn(STALE)).toEqual({ code: 0, stdout: '', stderr: '' }); // the control: to whom it was said it is one
    writeFileSync(heard, STALE);
    expect(ask()).toBe('replace'); // nobody has answered within a second
    mkdirSync(join(heard, 'x'), { recursive: true });
    expect(ask()).toBe('start');
  },
);
