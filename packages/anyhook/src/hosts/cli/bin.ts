/** What agents start for every event: as little as can be, and the rest only when it is needed. */
import { fstatSync, readFileSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Question, questionOf } from './quick/question.ts';
import { silenceFor } from './quick/silence.ts';

/** For the files beside this one: what comes from a cache of compiled code cannot import by itself. */
export const later = (wanted: string): Promise<unknown> => import(wanted);

const [command, ...rest] = process.argv.slice(2);
if (command !== 'fire' || rest.includes('--help') || rest.includes('-h')) void commandLine();
else fire();

async function commandLine(): Promise<void> {
  const { main } = await import('./main.ts');
  await main(process.argv.slice(2));
}

function fire(): void {
  const text = textOnStdin();
  const question = text === undefined ? undefined : questionOf(rest, text, process.env, buildOf());
  const silence = question === undefined ? undefined : silenceFor(question, process.env);
  if (silence === undefined) void fireWithHooks(text, question);
  else if (silence !== '') writeSync(1, silence);
}

async function fireWithHooks(text: string | undefined, question: Question | undefined): Promise<void> {
  if (question !== undefined) {
    const { keepCompiled } = await import('./quick/compiled.ts');
    keepCompiled(__dirname, join(dirname(question.file), 'compiled'));
  }
  const { mainFire } = await import('./main-fire.ts');
  await mainFire(rest, text, question);
}

/** Another build may read settings otherwise: what it remembers is its own. The mark is set when the files are bundled. */
function buildOf(): string {
  return `@build@ ${statSync(__filename).mtimeMs}`;
}

/** Undefined on a terminal, where reading would wait for a person to type: the full command line handles that. */
function textOnStdin(): string | undefined {
  try {
    return fstatSync(0).isCharacterDevice() ? undefined : readFileSync(0, 'utf8');
  } catch {
    return undefined;
  }
}
