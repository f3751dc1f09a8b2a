/**
 * Open questions and their answers as files in a private folder, so that they outlive every process: the one that asks, the terminal
 * or page that answers, and the daemon. Only exclusive creation and renaming decide who was first.
 *
 *   open/<hash>.json     the question
 *   answers/<hash>.json  its answer; the first writer wins
 *   used/<random>        an answer while it is being consumed
 *   watchers/<pid>       a terminal or page that shows questions
 */

import { randomBytes } from 'node:crypto';
import { linkSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../settings/make-folder.ts';
import { readOwn } from '../settings/own-file.ts';
import { parseAnswer, parseQuestion, type Question, type UserAnswer } from './question.ts';

const MOST_OPEN = 1000;
const MOST_BYTES = 1024 * 1024;
/** Clocks of one machine differ less than this. An answer from further in the future does not count. */
const CLOCK_SLACK_MS = 60_000;
const WATCHER_BEAT_MS = 10_000;

export type AnswerResult = 'answered' | 'already-answered' | 'no-question';

export class ApprovalStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Opens the question, or replaces the state of the same one. Returns why it could not be stored. */
  ask(question: Question): string | undefined {
    try {
      const file = this.#open(question.hash);
      if (readOwn(file) === undefined && this.#names('open').length >= MOST_OPEN)
        return `${MOST_OPEN} questions are open already`;
      this.#replace(file, question);
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  }
  question(hash: string): Question | undefined {
    const question = parsed(this.#open(hash), parseQuestion);
    return question?.hash === hash && isCurrent(question) ? question : undefined;
  }
  /** Open questions without an answer, oldest first. Removes those that have expired or whose agent has ended. */
  list(): readonly Question[] {
    return this.#names('open')
      .flatMap((name) => {
        const hash = name.replace(/\.json$/, '');
        const question = this.question(hash);
        if (question === undefined || isAbandoned(question)) this.withdraw(hash);
        else if (this.answer(hash) === undefined) return [question];
        return [];
      })
      .toSorted((a, b) => (a.askedAt < b.askedAt ? -1 : 1));
  }
  withdraw(hash: string): void {
    rmSync(this.#open(hash), { force: true });
    rmSync(this.#answer(hash), { force: true });
  }
  withdrawSession(agent: string, session: string): void {
    for (const question of this.#all())
      if (question.agent === agent && question.session === session) this.withdraw(question.hash);
  }

  /** The first answer wins. Throws if it cannot be written. */
  give(answer: UserAnswer): AnswerResult {
    if (this.question(answer.hash) === undefined) return 'no-question';
    const file = this.#answer(answer.hash);
    const aside = this.#write(join(this.#ready('answers'), randomName()), answer);
    try {
      linkSync(aside, file); // fails if there is one
      return 'answered';
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      return 'already-answered';
    } finally {
      rmSync(aside, { force: true });
    }
  }
  answer(hash: string): UserAnswer | undefined {
    const answer = parsed(this.#answer(hash), parseAnswer);
    const isFromNow = answer !== undefined && Date.parse(answer.answeredAt) <= Date.now() + CLOCK_SLACK_MS;
    return isFromNow && answer.hash === hash ? answer : undefined;
  }
  /** Takes the answer away and closes the question. Of several callers, only one gets it. */
  consume(hash: string): UserAnswer | undefined {
    const used = join(this.#ready('used'), randomName());
    try {
      renameSync(this.#answer(hash), used);
    } catch {
      return undefined; // another call was first
    }
    // What was taken counts, not what was seen before: the answer may have been replaced in between.
    const answer = parsed(used, parseAnswer);
    rmSync(this.#open(hash), { force: true });
    rmSync(used, { force: true });
    return answer?.hash === hash ? answer : undefined;
  }

  /** Announces a terminal or page that shows questions, until the returned function is called. */
  watch(): () => void {
    const file = join(this.#ready('watchers'), String(process.pid));
    const beat = (): void => writeFileSync(file, '', { mode: 0o600 });
    beat();
    const timer = setInterval(beat, WATCHER_BEAT_MS).unref();
    return () => {
      clearInterval(timer);
      rmSync(file, { force: true });
    };
  }
  /** Whether a terminal or page shows questions right now. */
  get isWatched(): boolean {
    return this.#names('watchers').some((name) => {
      const status = statSync(join(this.#folder, 'watchers', name), { throwIfNoEntry: false });
      return status !== undefined && isRunning(Number(name)) && isRecent(status.mtimeMs);
    });
  }

  #all(): readonly Question[] {
    return this.#names('open').flatMap((name) => this.question(name.replace(/\.json$/, '')) ?? []);
  }
  #open(hash: string): string {
    return join(this.#folder, 'open', `${plain(hash)}.json`);
  }
  #answer(hash: string): string {
    return join(this.#folder, 'answers', `${plain(hash)}.json`);
  }
  #names(part: 'open' | 'watchers'): readonly string[] {
    try {
      return readdirSync(join(this.#folder, part)).filter((name) => !name.startsWith('.'));
    } catch {
      return []; // nothing was asked yet
    }
  }
  #ready(part: 'open' | 'answers' | 'used' | 'watchers'): string {
    const folder = join(this.#folder, part);
    makeFolder(folder);
    return folder;
  }
  #replace(file: string, question: Question): void {
    renameSync(this.#write(join(this.#ready('open'), randomName()), question), file);
  }
  #write(file: string, value: object): string {
    writeFileSync(file, JSON.stringify(value), { mode: 0o600, flag: 'wx' });
    return file;
  }
}

/** Hashes come from command lines and pages too, and become file names. */
function plain(hash: string): string {
  if (!/^[0-9a-f]{64}$/.test(hash)) throw new Error(`${JSON.stringify(hash)} is not the id of a question`);
  return hash;
}
const randomName = (): string => `.${randomBytes(9).toString('hex')}`;

function parsed<T>(file: string, parse: (text: string) => T | undefined): T | undefined {
  const bytes = readOwn(file, MOST_BYTES);
  return bytes === undefined ? undefined : parse(bytes.toString('utf8'));
}

/** If the clock was set back, the age of the question is unknown, and it is asked again. */
function isCurrent({ askedAt, expiresAt }: Question): boolean {
  const now = Date.now();
  return now < Date.parse(expiresAt) && Date.parse(askedAt) <= now + CLOCK_SLACK_MS;
}
const isRecent = (mtimeMs: number): boolean => Math.abs(Date.now() - mtimeMs) < 3 * WATCHER_BEAT_MS;

const isAbandoned = ({ agentPid }: Question): boolean => agentPid !== undefined && !isRunning(agentPid);

/** Whether the agent waits for the answer at this moment. A question of another machine names no process. */
export const isHeld = ({ heldUntil, heldBy }: Question): boolean =>
  heldUntil !== undefined &&
  Date.parse(heldUntil) > Date.now() &&
  (heldBy === undefined || isRunning(heldBy));

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
