/** Other people's plugins and extensions, as published: they load, register and answer as at home; our agent runs with them. */
import { afterAll, describe, expect, test } from 'vitest';
import { DANGER } from './moments.mjs';
import { WILD } from './packages.ts';
import { atHome, fired, played, type Told, withUs } from './try-package.ts';
import { type Row, writeTable } from './write-table.ts';

const rows: Row[] = [];
afterAll(() => writeTable(rows));

describe.each(WILD)('$kind: $name', (wild) => {
  test('is what it is at home', async () => {
    const ours = await withUs(wild);
    const home = (await atHome(wild)) ?? ours;
    const [ended, agent] = [await fired(wild), await played(wild)];
    rows.push({ wild, home, ours, fired: ended, agent });
    expect(ours?.registered).toEqual(home?.registered);
    expect(ours?.answers).toEqual(home?.answers);
    // Whatever it is and does, the event is answered and the agent ends.
    expect([ended.code, agent.code]).toEqual([refuses(home) ? 2 : 0, 0]);
  });
});

/** Does it refuse what guards refuse? */
const refuses = (told: Told | undefined): boolean =>
  told?.answers.some(
    (answer) =>
      (answer['threw'] !== undefined && answer['name'] === 'tool.execute.before') ||
      ((answer['said'] as { block?: boolean } | undefined)?.block === true &&
        (answer['input'] as { command?: string }).command === DANGER),
  ) === true;
