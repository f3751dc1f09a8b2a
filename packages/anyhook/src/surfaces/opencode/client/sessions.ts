import type { Fields } from '../../../canon/effects.ts';
import type { Sessions } from '../../../canon/services.ts';
import { messagesOf, type ClientMessage } from './messages.ts';
import { type ClientRequest, missing, ErrorAnswer, type Routes } from './route.ts';
import type { ClientTerms } from './terms.ts';

export const SESSIONS: Routes = {
  'GET /session': (_, terms) => [info(idOf(terms), terms)],
  'GET /session/status': (_, terms) => ({
    [idOf(terms)]: { type: sessions(terms, 'session.status').isIdle?.() === false ? 'busy' : 'idle' },
  }),
  'GET /session/{id}': (asked, terms) => info(known(asked, terms), terms),
  'GET /session/{id}/children': (asked, terms) => (known(asked, terms), []),
  'GET /session/{id}/message': (asked, terms) => {
    const shown = messages(known(asked, terms), terms);
    const limit = Number(asked.query.get('limit') ?? shown.length);
    return shown.slice(Math.max(0, shown.length - limit));
  },
  'GET /session/{id}/message/{message}': (asked, terms) => {
    const wanted = asked.path['message']!;
    const found = messages(known(asked, terms), terms).find(({ info: { id } }) => id === wanted);
    return found ?? notFound(`message ${wanted}`);
  },
  'POST /session': (asked, terms) => act('new', asked.body, terms),
  'POST /session/{id}/fork': (asked, terms) => act('branch', asked.body, terms),
  'POST /session/{id}/abort': (asked, terms) => {
    const { abort } = sessions(terms, 'session.abort');
    known(asked, terms);
    if (abort === undefined) throw missing('session.abort', 'client.session.abort');
    terms.services.session!.abort!();
    return true;
  },
  'POST /session/{id}/prompt_async': (asked, terms) => void send(known(asked, terms), asked.body, terms),
  async 'POST /session/{id}/message'(asked, terms) {
    const id = known(asked, terms);
    const wait = terms.services.session?.waitForIdle?.bind(terms.services.session);
    const isSilent = asked.body['noReply'] === true;
    if (!isSilent && wait === undefined)
      throw missing(
        'session.waitForIdle',
        'client.session.prompt with an answer (promptAsync does not wait)',
      );
    const sent = send(id, asked.body, terms);
    if (isSilent) return sent;
    await wait!();
    const answer = messages(id, terms).findLast(({ info: { role } }) => role === 'assistant');
    return answer ?? notFound('an answer of the model');
  },
};

function sessions({ services }: ClientTerms, wanted: string): Sessions {
  if (services.session === undefined) throw missing('session', `client.${wanted}`);
  return services.session;
}

function idOf(terms: ClientTerms): string {
  const view = sessions(terms, 'session').view?.() as { getSessionId?: () => string } | undefined;
  return terms.session?.() ?? view?.getSessionId?.() ?? 'current';
}

/** A host has one session at a time; one that cannot name it takes any id for it. */
function known({ path }: ClientRequest, terms: ClientTerms): string {
  const [wanted, now] = [path['id']!, terms.session?.()];
  if (now !== undefined && now !== wanted) return notFound(`session ${wanted}`);
  return wanted;
}

const messages = (id: string, terms: ClientTerms): ClientMessage[] =>
  messagesOf(sessions(terms, 'session.messages').entries(), id, terms.directory);

function info(id: string, terms: ClientTerms): Fields {
  const times = messages(id, terms).map(({ info: { time } }) => (time as { created: number }).created);
  return {
    id,
    projectID: terms.project?.id ?? 'global',
    directory: terms.directory,
    title: '',
    version: '',
    time: { created: times[0] ?? 0, updated: times.at(-1) ?? 0 },
  };
}

async function act(what: 'new' | 'branch', how: Fields, terms: ClientTerms): Promise<Fields> {
  const session = sessions(terms, 'session');
  if (session.act === undefined)
    throw missing('session.act', `client.session.${what === 'new' ? 'create' : 'fork'}`);
  const { cancelled } = await session.act(what, how);
  if (cancelled)
    throw new ErrorAnswer(
      409,
      'Cancelled',
      `the host did not ${what === 'new' ? 'begin' : 'fork'} a session`,
    );
  return info(idOf(terms), terms);
}

function send(session: string, body: Fields, { services }: ClientTerms): ClientMessage {
  if (services.messages === undefined) throw missing('messages', 'client.session.prompt');
  const { parts } = body;
  if (!Array.isArray(parts) || parts.length === 0)
    throw new ErrorAnswer(
      400,
      'BadRequest',
      "the body needs 'parts', a list such as [{ type: 'text', text: '…' }]",
    );
  const content = parts
    .flatMap((part: Fields) => (part?.['type'] === 'text' ? [String(part['text'])] : []))
    .join('\n');
  services.messages.send({ role: 'user', content, parts }, { trigger: body['noReply'] !== true });
  return { info: { id: '', sessionID: session, role: 'user', time: { created: Date.now() } }, parts };
}

function notFound(what: string): never {
  throw new ErrorAnswer(404, 'NotFoundError', `there is no ${what}`);
}
