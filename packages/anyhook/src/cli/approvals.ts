/** `anyhook approvals`: questions of hooks that wait for the user, live in a terminal, or one by one for scripts of the user. */

import { userInfo } from 'node:os';
import { Pin, pinFileIn } from '../approvals/pin.ts';
import type { Question } from '../approvals/question.ts';
import { isHeld } from '../approvals/store.ts';
import { answerQuestion, type AnswerGiven, approvalStore } from '../console/answer-question.ts';
import { hiddenAnswerTo } from '../console/answer-to.ts';
import { paint, print, printJson, say, screenFor } from '../console/print.ts';
import { questionLine, questionLines, questionId } from '../console/question-lines.ts';
import { UsageError } from '../console/usage.ts';
import { foldersOf, locationsOf } from '../gather/folders.ts';
import { circumstances, mayBeAsked } from '../gather/person.ts';
import { announce, checkPerson } from './by-person.ts';
import type { Define } from './commands.ts';

interface Options {
  readonly json?: boolean;
  readonly session?: boolean;
  readonly note?: string;
  readonly remove?: boolean;
}

export const define: Define = (command, done) => {
  command
    .command('watch', { isDefault: true })
    .description('Show questions as they come and answer them with one key')
    .option('--json', 'Print the open questions as JSON')
    .action(async (options: Options) => done(options.json === true ? list(options) : await watch()));
  command
    .command('list')
    .description('List open questions')
    .option('--json', 'Print JSON')
    .action((options: Options) => done(list(options)));
  command
    .command('approve')
    .description('Let exactly this call pass, once')
    .argument('<id>', 'Id of the question, or its beginning')
    .option('--session', 'As often as it comes in this session')
    .action(async (id: string, { session }: Options) =>
      done(await answer(id, { kind: session === true ? 'session' : 'once' })),
    );
  command
    .command('refuse')
    .description('Refuse the call')
    .argument('<id>', 'Id of the question, or its beginning')
    .option('--note <text>', 'What the model should do instead')
    .action(async (id: string, { note }: Options) =>
      done(await answer(id, { kind: 'refuse', ...(note !== undefined && { note }) })),
    );
  command
    .command('pin')
    .description('Ask for a PIN before every answer, here and in the view')
    .option('--remove', 'Ask for no PIN any more')
    .action(async (options: Options) => done(await changePin(options)));
};

const here = () => locationsOf({});
const openPin = (): Pin => new Pin(pinFileIn(foldersOf(here()).data));

/** Exit 1 if questions are open. */
function list({ json }: Options): number {
  const questions = approvalStore(here()).list();
  if (json === true) printJson(questions.map((question) => ({ ...question, isHeld: isHeld(question) })));
  else print(questions.length === 0 ? ['No open questions.'] : listLines(questions));
  return questions.length === 0 ? 0 : 1;
}

function listLines(questions: readonly Question[]): string[] {
  const screen = screenFor(undefined);
  return [
    ...questions.map((question) => questionLine(question, screen)),
    '',
    'To answer: anyhook approvals approve <id>, or anyhook approvals refuse <id> --note <text>',
  ];
}

async function watch(): Promise<number> {
  if (!mayBeAsked(process.env)) return list({});
  const { watchQuestions } = await import('../console/watch-questions.ts');
  const pin = openPin();
  const code = pin.isSet ? await askedPin(pin) : undefined;
  await watchQuestions({
    store: approvalStore(here()),
    screen: () => screenFor(undefined),
    answer: (question, kind, note) => {
      // The PIN may have been changed while the screen was open.
      if (pin.check(code) !== 'right') return 'wrong PIN; start anyhook approvals again';
      const given = { ...byTerminal(), kind, ...(note !== undefined && { note }) };
      const result = answerQuestion(question, given, here());
      return result === 'needs-signer' ? 'only an approver whom the policy names may answer' : result;
    },
  });
  return 0;
}

async function answer(id: string, what: Pick<AnswerGiven, 'kind' | 'note'>): Promise<number> {
  const command = `approvals ${what.kind === 'refuse' ? 'refuse' : 'approve'}`;
  checkPerson(command, process.env);
  const question = questionNamed(command, id);
  const pin = openPin();
  if (pin.isSet) await askedPin(pin);
  print([...questionLines(question, screenFor(undefined)), '']);
  const result = answerQuestion(question, { ...byTerminal(), ...what }, here());
  if (result === 'needs-signer')
    throw new UsageError(
      `${command}: ${questionId(question)} is for an approver whom the policy of this machine names; see anyhook-fleet approvals`,
    );
  if (result !== 'answered') throw new UsageError(`${command}: ${questionId(question)} was answered already`);
  const next = isHeld(question) ? 'The agent goes on.' : 'It counts when the agent tries the call again.';
  say([`${what.kind === 'refuse' ? 'Refused' : 'Approved'}. ${what.kind === 'refuse' ? '' : next}`.trim()]);
  return 0;
}

const byTerminal = (): Pick<AnswerGiven, 'where' | 'who'> => ({
  where: circumstances().terminal ?? 'terminal',
  who: userInfo().username,
});

function questionNamed(command: string, id: string): Question {
  const questions = approvalStore(here()).list();
  const found = questions.filter(({ hash }) => hash.startsWith(id.toLowerCase()));
  if (found.length === 1 && id.length >= 4) return found[0]!;
  const known = questions.map(questionId).join(', ');
  if (questions.length === 0) throw new UsageError(`${command}: no question is open`);
  throw new UsageError(
    `${command}: ${JSON.stringify(id)} ${found.length > 1 ? 'fits several questions' : 'is no open question'}; open: ${known}`,
  );
}

async function askedPin(pin: Pin): Promise<string> {
  const code = await hiddenAnswerTo('PIN: ');
  const verdict = pin.check(code);
  if (verdict === 'right') return code;
  throw new UsageError(`approvals: ${verdict === 'wait' ? 'too many wrong PINs; wait 30 s' : 'wrong PIN'}`);
}

async function changePin({ remove }: Options): Promise<number> {
  checkPerson('approvals pin', process.env);
  const pin = openPin();
  if (pin.isSet) await askedPin(pin);
  if (remove === true) {
    announce('removed the PIN of approvals');
    pin.remove();
    print([`${paint('green', 'Removed.')} Answers need no PIN.`]);
    return 0;
  }
  const code = await hiddenAnswerTo('New PIN, at least 4 characters: ');
  if (code.length < 4) throw new UsageError('approvals pin: at least 4 characters; nothing was changed');
  if ((await hiddenAnswerTo('The same again: ')) !== code)
    throw new UsageError('approvals pin: the two PINs differ; nothing was changed');
  announce('set a PIN for approvals');
  pin.set(code);
  print([`${paint('green', 'Set.')} Every answer needs it, in the terminal and in the view.`]);
  return 0;
}
