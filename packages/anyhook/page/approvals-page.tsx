/** Questions that wait for the user, with the answers to them. */

import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { AnswerKind } from '../src/approvals/answer-kind.ts';
import type { QuestionsPart, ShownQuestion } from '../src/view/wire.ts';
import { agentClass } from './agent-mark.tsx';
import type { PageProps } from './sessions-page.tsx';
import { Refused, type Source } from './source.ts';
import { ago, counted } from './words.ts';

const TICK_MS = 1000;

interface ApprovalsProps extends PageProps {
  readonly part: QuestionsPart | undefined;
}

export function ApprovalsPage({ source, report, part }: ApprovalsProps) {
  const [nowMs, setNowMs] = useState(Date.now);
  const [pin, setPin] = useState('');
  const [done, setDone] = useState<string>();
  useEffect(() => source.follow(() => undefined, report), [source]);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  if (source.exported !== undefined) return <p class="quiet">An offline copy has no open questions.</p>;
  if (part === undefined) return <p class="quiet">Looking for questions…</p>;
  const { questions, needsPin, whyNot } = part;
  return (
    <>
      <div class="title">
        <h1>Approvals</h1>
        <p class="quiet">{counted(questions.length, 'open question')}</p>
      </div>
      {whyNot !== undefined && <p class="banner">{whyNot}</p>}
      {needsPin && whyNot === undefined && questions.length > 0 && (
        <label class="pin">
          PIN{' '}
          <input
            type="password"
            autocomplete="off"
            value={pin}
            onInput={(event) => setPin(event.currentTarget.value)}
          />
        </label>
      )}
      <p class="answered" role="status">
        {done}
      </p>
      {questions.length === 0 ? (
        <Empty />
      ) : (
        <ul class="questions">
          {questions.map((question) => (
            <QuestionCard
              key={question.hash}
              {...{ question, nowMs, source, onDone: setDone }}
              pin={needsPin ? pin : undefined}
              isLocked={whyNot !== undefined}
            />
          ))}
        </ul>
      )}
    </>
  );
}

const Empty = () => (
  <div class="empty">
    <p>No agent waits for you.</p>
    <p class="quiet">
      When a hook answers <code>ask</code>, its question appears here, and the agent waits for your answer.
    </p>
  </div>
);

interface CardProps {
  readonly question: ShownQuestion;
  readonly nowMs: number;
  readonly source: Source;
  readonly pin: string | undefined;
  readonly isLocked: boolean;
  readonly onDone: (text: string) => void;
}

function QuestionCard({ question, nowMs, source, pin, isLocked, onDone }: CardProps) {
  const { hash, id, agent, session, project, wants, call } = question;
  const [fault, setFault] = useState<string>();
  const [isSending, setIsSending] = useState(false);
  const send = async (kind: AnswerKind, note: string): Promise<void> => {
    setIsSending(true);
    setFault(undefined);
    try {
      await source.answer({
        hash,
        kind,
        ...(pin !== undefined && { pin }),
        ...(kind === 'refuse' && note.trim() !== '' && { note: note.trim() }),
      });
      onDone(`${id}: ${WHAT[kind]}`);
    } catch (error) {
      setFault(error instanceof Refused ? error.message : 'the view cannot be reached');
      setIsSending(false);
    }
  };
  return (
    <li class="question" aria-labelledby={`q-${id}`}>
      <h2 id={`q-${id}`}>
        <span class={agentClass(agent)}>{agent}</span> wants <span class="name">{wants}</span>{' '}
        <span class="quiet">in {project}</span>
      </h2>
      <pre class="call" tabIndex={0} aria-label="The exact call">
        {call}
      </pre>
      <Facts {...{ question, nowMs, session }} />
      {!isLocked && <Answers isSending={isSending} send={(kind, note) => void send(kind, note)} />}
      {fault !== undefined && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
    </li>
  );
}

interface AnswersProps {
  readonly isSending: boolean;
  readonly send: (kind: AnswerKind, note: string) => void;
}

function Answers({ isSending, send }: AnswersProps) {
  const [note, setNote] = useState('');
  return (
    <form class="answers" onSubmit={(event) => event.preventDefault()}>
      <button type="button" class="yes" disabled={isSending} onClick={() => send('once', note)}>
        Approve once
      </button>
      <button type="button" class="plain" disabled={isSending} onClick={() => send('session', note)}>
        Approve for this session
      </button>
      <label>
        <span class="quiet">Note for the model</span>
        <input
          type="text"
          maxLength={4000}
          value={note}
          onInput={(event) => setNote(event.currentTarget.value)}
        />
      </label>
      <button type="button" class="no" disabled={isSending} onClick={() => send('refuse', note)}>
        Refuse
      </button>
    </form>
  );
}

const WHAT: Readonly<Record<AnswerKind, string>> = {
  once: 'approved once',
  session: 'approved for this session',
  refuse: 'refused',
};

interface FactsProps {
  readonly question: ShownQuestion;
  readonly nowMs: number;
  readonly session: string;
}
const Facts = ({ question, nowMs, session }: FactsProps) => {
  const { id, folder, subagent, callBytes, changed, reasons, failedNotices, askedAt } = question;
  return (
    <dl class="about">
      {callBytes !== undefined && <Fact name="Cut">the whole call has {callBytes} bytes</Fact>}
      {changed.length > 0 && (
        <Fact name="Changed by a hook">{changed.join(', ')}; this is the final form</Fact>
      )}
      {reasons.map(({ hook, text }) => (
        <Fact key={hook} name="Asked by">
          {hook}
          {text !== '' && <strong class="reason">{text}</strong>}
        </Fact>
      ))}
      <Fact name="Session">
        {session}
        {subagent !== undefined && `, subagent ${subagent}`}
      </Fact>
      {folder !== undefined && <Fact name="Folder">{folder}</Fact>}
      <Fact name="Covers">exactly this call in this folder and session, and nothing else ({id})</Fact>
      <Fact name="State">
        {stateOf(question, nowMs)}, asked {ago(askedAt, nowMs)}
      </Fact>
      {failedNotices.map((text) => (
        <Fact key={text} name="Notification failed">
          {text}
        </Fact>
      ))}
    </dl>
  );
};

const Fact = ({ name, children }: { readonly name: string; readonly children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

function stateOf({ heldUntil }: ShownQuestion, nowMs: number): string {
  const leftMs = heldUntil === undefined ? 0 : Date.parse(heldUntil) - nowMs;
  if (leftMs <= 0) return 'refused for now; once approved, it passes when the agent tries it again';
  const seconds = Math.ceil(leftMs / 1000);
  return `the agent waits, ${seconds > 120 ? `${Math.round(seconds / 60)} min` : `${seconds} s`} left`;
}
