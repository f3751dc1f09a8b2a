/** What agents start for every event: as little as can be, and the rest only when it is needed. */
import { existsSync, fstatSync, readFileSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Question, questionOf } from './quick/question.ts';
import { silenceFor } from './quick/silence.ts';

const [command, ...rest] = process.argv.slice(2);
if (command !== 'fire' || rest.includes('--help') || rest.includes('-h')) void commandLine();
else fire();

async function commandLine(): Promise<void> {
  const { main } = await import('./main.ts');
  await main(process.argv.slice(2));
}

function fire(): void {
  const text = textOnStdin();
  const isManaged = rest.at(-1) === 'off:/'; // then nothing that the user's own files remember is asked
  const question =
    text === undefined || isManaged ? undefined : questionOf(rest, text, process.env, buildOf());
  const silence = question === undefined ? undefined : silenceFor(question, process.env);
  const folder = engineIn(rest.at(-1) ?? '');
  if (silence === undefined && text !== undefined && folder !== undefined)
    void askFirst(folder, text, question);
  else if (silence === undefined) void fireWithHooks(rest, text, question);
  else if (silence !== '') writeSync(1, silence);
}

/** Where the launcher has no `nc`, its last word is to ask the engine, if there is one. */
function engineIn(word: string): string | undefined {
  const [, folder] = /^ask:(\/.*)$/s.exec(word) ?? [];
  return folder !== undefined && existsSync(join(folder, 'socket')) ? folder : undefined;
}

async function askFirst(folder: string, text: string, question: Question | undefined): Promise<void> {
  const { askEngine } = await import('./quick/ask-engine.ts');
  const words = rest.slice(0, -2);
  const heard = await askEngine(folder, { bin: __filename, argv: words, text });
  if (typeof heard === 'string')
    return fireWithHooks([...words, '--engine', `${heard}:${folder}`], text, question);
  if (heard.stdout !== '') process.stdout.write(heard.stdout);
  if (heard.stderr !== '') process.stderr.write(heard.stderr);
  process.exitCode = heard.code;
}

async function fireWithHooks(
  argv: readonly string[],
  text: string | undefined,
  question: Question | undefined,
): Promise<void> {
  if (question !== undefined) {
    const { loadKept } = await import('./quick/compiled.ts');
    const kept = { folder: join(dirname(question.file), 'compiled'), word: question.word };
    loadKept(__dirname, 'hosts-cli-main-fire.cjs', kept);
  }
  const { mainFire } = await import('./main-fire.ts');
  await mainFire(argv, text, question);
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
