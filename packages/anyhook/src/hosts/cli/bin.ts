/** What agents start for every event: as little as can be, and the rest only when it is needed. */
import { existsSync, fstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readProcessClock } from '../../canon/clock.ts';
import { buildOf } from '../silence/build.ts';
import { type Question, questionOf } from '../silence/question.ts';
import { silenceFor } from '../silence/recall.ts';
import { askEngine } from './quick/ask-engine.ts';
import { printAtOnce } from './quick/print-at-once.ts';

const [command, ...rest] = process.argv.slice(2);
if (command !== 'fire' || rest.includes('--help') || rest.includes('-h')) void commandLine();
else fire();

async function commandLine(): Promise<void> {
  const { main } = await import('./main.ts');
  await main(process.argv.slice(2));
}

function fire(): void {
  readProcessClock();
  const text = textOnStdin();
  const folder = engineIn(rest.at(-1) ?? '');
  if (text === undefined || folder === undefined) return answer(rest, text);
  const words = rest.slice(0, -2);
  const heard = askEngine(folder, { bin: __filename, argv: words, text });
  if (typeof heard === 'string') return answer([...words, '--engine', `${heard}:${folder}`], text);
  printAtOnce(1, heard.stdout);
  printAtOnce(2, heard.stderr);
  if (heard.code !== 0) process.exitCode = heard.code;
}

/** Without an engine: from memory where nobody listens, else by hooks. */
function answer(argv: readonly string[], text: string | undefined): void {
  const order = argv.at(-1) ?? '';
  const isManaged = order === 'off:/'; // then nothing that the user's own files remember is asked
  const { env } = process;
  const question =
    text === undefined || isManaged ? undefined : questionOf(argv, text, { env, build: buildOf(__filename) });
  const silence = question === undefined ? undefined : silenceFor(question, env);
  if (silence === undefined) return void fireWithHooks(argv, text, question);
  printAtOnce(1, silence.stdout);
  if (silence.engine !== 'off') void engineFor(order);
}

/** Where the launcher has found no engine that answers, the events to come shall find one; nobody waits for it. */
async function engineFor(order: string): Promise<void> {
  const [, word, folder] = /^(start|replace):(\/.*)$/s.exec(order) ?? [];
  if (folder === undefined || (word === 'start' && existsSync(join(folder, 'socket')))) return;
  const { startWhereNone } = await import('./quick/start-engine.ts');
  await startWhereNone(folder, { isSilent: word === 'replace' });
}

/** Where the launcher has no `nc`, its last word is to ask the engine, if there is one. */
function engineIn(word: string): string | undefined {
  if (!word.startsWith('ask:/')) return undefined;
  const folder = word.slice('ask:'.length);
  return existsSync(`${folder}/socket`) ? folder : undefined;
}

async function fireWithHooks(
  argv: readonly string[],
  text: string | undefined,
  question: Question | undefined,
): Promise<void> {
  const { mainFire } = await import('./main-fire.ts');
  await mainFire(argv, text, question);
}

/** Undefined on a terminal, where reading would wait for a person to type: the full command line handles that. */
function textOnStdin(): string | undefined {
  try {
    return fstatSync(0).isCharacterDevice() ? undefined : readFileSync(0, 'utf8');
  } catch {
    return undefined;
  }
}
