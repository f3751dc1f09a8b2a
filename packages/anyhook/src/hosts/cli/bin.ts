/** What agents start for every event: as little as can be, and the rest only when it is needed. */
import { fstatSync, readFileSync, statSync, writeSync } from 'node:fs';
import { questionOf } from './quick/question.ts';
import { silenceFor } from './quick/silence.ts';

const [command, ...rest] = process.argv.slice(2);
if (command !== 'fire' || rest.includes('--help') || rest.includes('-h')) void import('./main.ts');
else fire();

function fire(): void {
  const text = textOnStdin();
  // Another build may read settings otherwise: what it remembers is its own.
  const build = String(statSync(__filename).mtimeMs);
  const question = text === undefined ? undefined : questionOf(rest, text, process.env, build);
  const silence = question === undefined ? undefined : silenceFor(question, process.env);
  if (silence === undefined)
    void import('./main-fire.ts').then(({ mainFire }) => mainFire(rest, text, question));
  else if (silence !== '') writeSync(1, silence);
}

/** A terminal would keep us waiting: the long way looks closer. */
function textOnStdin(): string | undefined {
  try {
    return fstatSync(0).isCharacterDevice() ? undefined : readFileSync(0, 'utf8');
  } catch {
    return undefined;
  }
}
