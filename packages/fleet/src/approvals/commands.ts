/** `anyhook-fleet approvals …`: questions of hooks, answered by an approver at another machine. */

import { hostname, userInfo } from 'node:os';
import {
  approvalsOf,
  isHeld,
  printJson,
  printLines,
  questionId,
  questionLine,
  questionLines,
  screenFor,
  watchQuestions,
  whyNoPerson,
} from 'anyhook/approvals';
import { safe } from 'anyhook/views';
import { type Command, Option } from 'commander';
import { openConnection, type Patience } from '../nats/connection.ts';
import { addServerOptions, type ServerFlags, serverIn } from '../nats/options.ts';
import { APPROVALS_STREAM, openApprovalsStream } from './channel.ts';
import { makeKeyFile, readKeyFile } from './keys.ts';
import { relayQuestions } from './relay.ts';
import { type AnswerToSend, type RemoteQuestion, RemoteQuestions, type Signer } from './remote-questions.ts';

interface ApproverFlags extends ServerFlags {
  readonly from?: string;
  readonly as?: string;
  readonly key?: string;
}
interface RelayFlags extends ServerFlags {
  readonly to?: string;
  readonly machine: string;
  readonly user: string;
  readonly all?: boolean;
}

/** How long `approve` and `refuse` wait for the machine. */
const TAKEN_MS = 5000;

export function defineApprovals(command: Command): void {
  command.description('answer questions of hooks on other machines, as an approver whom the policy names');
  defineForApprovers(command);
  addServer(command.command('relay'), '--to')
    .description('send the open questions of this machine to approvers, and bring their signed answers back')
    .addOption(
      new Option('--machine <name>', 'what this machine is called there')
        .env('ANYHOOK_MACHINE')
        .default(hostname()),
    )
    .option('--user <name>', 'whose questions these are', userInfo().username)
    .option('--all', 'also questions that only the user’s own hooks ask')
    .action(async (flags: RelayFlags) => relay(flags, addressIn(flags, '--to')));
  addServer(command.command('stream'), '--to')
    .description('make the stream that holds questions and answers, or change its settings')
    .option('--replicas <n>', 'on so many servers of a cluster', Number, 1)
    .action(async (flags: RelayFlags & { readonly replicas: number }) => {
      await withConnection({ ...flags, nats: addressIn(flags, '--to') }, 'brief', async (connection) => {
        const { stream: name, replicas } = flags;
        const done = await openApprovalsStream(connection, { name, replicas });
        printLines([`${name} is ${done}.`]);
      });
    });
  command
    .command('key')
    .description('make a key to sign answers with, and print the line for the policy')
    .argument('<file>', 'the private key; it stays with the approver')
    .option('--as <name>', 'the name of the approver', userInfo().username)
    .action((file: string, { as: name }: { readonly as: string }) => {
      checkPerson('approvals key');
      const publicKey = makeKeyFile(file);
      printLines([
        `${file}: your private key. Nobody else may read it.`,
        'For hooks.json of the policy:',
        `  "approvals": { "signers": ${JSON.stringify({ [name]: publicKey })} }`,
      ]);
    });
}

function defineForApprovers(command: Command): void {
  addApprover(command.command('watch', { isDefault: true }))
    .description('show questions as they come and answer them with one key')
    .action(async (flags: ApproverFlags) => watch(flags));
  addServer(command.command('list'), '--from')
    .description('list open questions; exit 1 if there are any')
    .option('--json', 'as JSON')
    .action(async (flags: ApproverFlags & { readonly json?: boolean }) => list(flags));
  addApprover(command.command('approve'))
    .description('let exactly this call pass, once')
    .argument('<id>', 'id of the question, or its beginning')
    .option('--session', 'as often as it comes in this session')
    .action(async (id: string, { session, ...flags }: ApproverFlags & { readonly session?: boolean }) =>
      answer('approvals approve', id, { kind: session === true ? 'session' : 'once' }, flags),
    );
  addApprover(command.command('refuse'))
    .description('refuse the call')
    .argument('<id>', 'id of the question, or its beginning')
    .option('--note <text>', 'what the model should do instead')
    .action(async (id: string, { note, ...flags }: ApproverFlags & { readonly note?: string }) =>
      answer('approvals refuse', id, { kind: 'refuse', ...(note !== undefined && { note }) }, flags),
    );
}

const addServer = (command: Command, address: '--from' | '--to'): Command =>
  addServerOptions(command, { address, stream: APPROVALS_STREAM });
const addApprover = (command: Command): Command =>
  addServer(command, '--from')
    .option('--as <name>', 'your name in the policy')
    .option('--key <file>', 'your private key, made by `approvals key`');

async function relay(flags: RelayFlags, nats: string): Promise<void> {
  const stopped = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => stopped.abort());
  await relayQuestions({
    ...serverIn({ ...flags, nats }),
    source: { machine: flags.machine, user: flags.user },
    approvals: approvalsOf(),
    isForAll: flags.all === true,
    signal: stopped.signal,
    say: (message) => void process.stderr.write(`anyhook-fleet approvals relay: ${safe(message)}\n`),
  });
}

async function watch(flags: ApproverFlags): Promise<void> {
  checkPerson('approvals');
  const signer = signerIn(flags);
  const pending = new Set<Promise<string>>();
  await withQuestions(flags, 'endless', async (questions) => {
    await watchQuestions({
      store: questions,
      screen: () => screenFor(undefined),
      answer: async (question: RemoteQuestion, kind, note) => {
        const what = { kind, ...(note !== undefined && { note }) };
        const sending = questions.answer(question, what, signer);
        pending.add(sending);
        await sending.finally(() => pending.delete(sending));
        return 'answered';
      },
    });
    await Promise.allSettled(pending); // of a user who quits right after an answer
  });
}

async function list(flags: ApproverFlags & { readonly json?: boolean }): Promise<void> {
  await withQuestions(flags, 'brief', async (questions) => {
    const open = questions.list();
    const screen = screenFor(undefined);
    if (flags.json === true) printJson(open.map((question) => ({ ...question, isHeld: isHeld(question) })));
    else
      printLines(open.length === 0 ? ['No open questions.'] : open.map((one) => questionLine(one, screen)));
    process.exitCode = open.length === 0 ? 0 : 1;
  });
}

async function answer(command: string, id: string, what: AnswerToSend, flags: ApproverFlags): Promise<void> {
  checkPerson(command);
  const signer = signerIn(flags);
  await withQuestions(flags, 'brief', async (questions) => {
    const question = questionNamed(command, id, questions.list());
    printLines([...questionLines(question, screenFor(undefined)), '']);
    const answeredAt = await questions.answer(question, what, signer);
    const state = await questions.outcome(question, answeredAt, TAKEN_MS);
    if (state.kind === 'refused') throw new Error(`${questionId(question)}: ${safe(state.why)}`);
    if (state.kind === 'taken' && state.by !== undefined && state.by !== signer.who)
      throw new Error(`${questionId(question)}: answered by ${safe(state.by)} already`);
    const done = what.kind === 'refuse' ? 'Refused.' : 'Approved.';
    printLines([
      state.kind === 'taken'
        ? done
        : `${done} The machine has not taken the answer yet. It counts as soon as its relay runs.`,
    ]);
  });
}

function questionNamed(command: string, id: string, open: readonly RemoteQuestion[]): RemoteQuestion {
  const found = open.filter(({ hash }) => hash.startsWith(id.toLowerCase()));
  if (found.length === 1 && id.length >= 4) return found[0]!;
  if (open.length === 0) throw new Error(`${command}: no question is open`);
  throw new Error(
    `${command}: ${JSON.stringify(id)} ${found.length > 1 ? 'fits several questions' : 'is no open question'}; open: ${open.map(questionId).join(', ')}`,
  );
}

function checkPerson(command: string): void {
  const why = whyNoPerson(process.env);
  if (why !== undefined) throw new Error(`${command}: ${why}; run it yourself in an interactive terminal`);
}

function signerIn({ as: who, key }: ApproverFlags): Signer {
  if (who === undefined || key === undefined)
    throw new Error('approvals: --as <name> and --key <file> are needed to sign answers');
  return { who, privateKeyPem: readKeyFile(key) };
}

function addressIn(
  flags: { readonly from?: string; readonly to?: string },
  option: '--from' | '--to',
): string {
  const address = option === '--from' ? flags.from : flags.to;
  if (address === undefined) throw new Error(`approvals: no server given. Add ${option} <address>`);
  return address;
}

const withQuestions = (
  flags: ApproverFlags,
  patience: Patience,
  work: (questions: RemoteQuestions) => Promise<void>,
): Promise<void> =>
  withConnection({ ...flags, nats: addressIn(flags, '--from') }, patience, async (connection) =>
    work(await RemoteQuestions.open(connection, flags.stream)),
  );

async function withConnection(
  flags: ServerFlags & { readonly nats: string },
  patience: Patience,
  work: (connection: Awaited<ReturnType<typeof openConnection>>) => Promise<void>,
): Promise<void> {
  const connection = await openConnection(serverIn(flags), 'anyhook-fleet approvals', patience);
  try {
    await work(connection);
  } finally {
    await connection.close();
  }
}
