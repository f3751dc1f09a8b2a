import { isPlain } from '../../../../events/changes.ts';
import type { Fields } from '../../../../events/effects.ts';
import type { SessionInfo, Sessions, SideSessions } from '../../../../events/services.ts';
import { type OpenCodeMessage, shownMessages, type Whereabouts } from '../../dialect/messages.ts';
import { type ClientRequest, missing, ErrorAnswer, type Routes } from './route.ts';
import type { ClientTerms } from './terms.ts';

/**
 * The user's session belongs to the host. Sessions that a plugin creates are separate, and their prompts do not affect
 * the user's session.
 */
export const SESSIONS: Routes = {
  async 'GET /session'(_, terms) {
    return Promise.all((await listed(terms)).map((one) => infoOf(one, terms)));
  },
  async 'GET /session/status'(_, terms) {
    const all = await listed(terms);
    return Object.fromEntries(all.map(({ id, isIdle }) => [id, { type: isIdle ? 'idle' : 'busy' }]));
  },
  'GET /session/{id}': async (asked, terms) => infoOf(await known(asked, terms), terms),
  async 'GET /session/{id}/children'(asked, terms) {
    const { id } = await known(asked, terms);
    const children = (await listed(terms)).filter(({ parent }) => parent === id);
    return Promise.all(children.map((one) => infoOf(one, terms)));
  },
  async 'GET /session/{id}/message'(asked, terms) {
    const shown = await messages(await known(asked, terms), terms);
    const limit = Number(asked.query.get('limit') ?? shown.length);
    return shown.slice(Math.max(0, shown.length - limit));
  },
  async 'GET /session/{id}/message/{message}'(asked, terms) {
    const wanted = asked.path['message']!;
    const shown = await messages(await known(asked, terms), terms);
    return shown.find(({ info }) => info['id'] === wanted) ?? notFound(`message ${wanted}`);
  },
  async 'POST /session'({ body }, terms) {
    const { title, parentID } = body;
    const opened = await sides(terms, 'session.create').open({
      ...(typeof title === 'string' && { title }),
      ...(typeof parentID === 'string' && { parent: parentID }),
    });
    return infoOf(opened, terms);
  },
  async 'PATCH /session/{id}'(asked, terms) {
    const { id } = await known(asked, terms);
    const { title } = asked.body;
    if (typeof title === 'string') await sides(terms, 'session.update').rename(id, title);
    return infoOf(await known(asked, terms), terms);
  },
  async 'DELETE /session/{id}'(asked, terms) {
    await sides(terms, 'session.delete').remove((await known(asked, terms)).id);
    return true;
  },
  async 'POST /session/{id}/abort'(asked, terms) {
    const { id } = await known(asked, terms);
    if (isBeside(id, terms)) await terms.services.sessions!.abort(id);
    else if (current(terms, 'session.abort').abort === undefined)
      throw missing('session.abort', 'client.session.abort');
    else terms.services.session!.abort!();
    return true;
  },
  async 'POST /session/{id}/prompt_async'(asked, terms) {
    void (await sent(await known(asked, terms), asked.body, terms)).answered.catch(() => {}); // the session's messages contain it
  },
  async 'POST /session/{id}/message'(asked, terms) {
    const session = await known(asked, terms);
    const isSilent = asked.body['noReply'] === true;
    if (!isSilent && !isBeside(session.id, terms) && terms.services.session?.waitForIdle === undefined)
      throw missing(
        'session.waitForIdle',
        'client.session.prompt with an answer (promptAsync does not wait)',
      );
    const { message, answered } = await sent(session, asked.body, terms);
    await answered;
    if (isSilent) return message;
    const shown = await messages(session, terms);
    return shown.findLast(({ info }) => info['role'] === 'assistant') ?? notFound('an answer of the model');
  },
};

function current({ services }: ClientTerms, wanted: string): Sessions {
  if (services.session === undefined) throw missing('session', `client.${wanted}`);
  return services.session;
}

function sides({ services }: ClientTerms, wanted: string): SideSessions {
  if (services.sessions === undefined) throw missing('sessions', `client.${wanted}`);
  return services.sessions;
}

function currentId(terms: ClientTerms): string {
  const view = current(terms, 'session').view?.() as { getSessionId?: () => string } | undefined;
  return terms.session?.() ?? view?.getSessionId?.() ?? 'current';
}
const isBeside = (id: string, terms: ClientTerms): boolean =>
  terms.services.sessions !== undefined && id !== currentId(terms);

/** A host without further sessions only lists the user's. */
async function listed(terms: ClientTerms): Promise<readonly SessionInfo[]> {
  if (terms.services.sessions !== undefined) return terms.services.sessions.list();
  const isIdle = current(terms, 'session').isIdle?.() !== false;
  return [{ id: currentId(terms), title: '', isIdle }];
}

/** A host without session ids accepts any id. */
async function known({ path }: ClientRequest, terms: ClientTerms): Promise<SessionInfo> {
  const wanted = path['id']!;
  const all = await listed(terms);
  const found = all.find(({ id }) => id === wanted);
  if (found !== undefined) return found;
  if (terms.services.sessions === undefined && terms.session?.() === undefined)
    return { ...all[0]!, id: wanted };
  return notFound(`session ${wanted}`);
}

async function messages({ id }: SessionInfo, terms: ClientTerms) {
  const { services, directory } = terms;
  const entries =
    services.sessions === undefined
      ? current(terms, 'session.messages').entries()
      : await services.sessions.entries(id);
  return messagesOf(entries, { session: id, cwd: directory });
}

/** Converts session entries of the host to the format and ids that hooks receive. */
function messagesOf(entries: readonly unknown[], where: Whereabouts): readonly OpenCodeMessage[] {
  return shownMessages(entries.flatMap(messageIn), where);
}

/** An entry contains a message, is a message, or is something else. */
function messageIn(entry: unknown): Fields[] {
  if (!isPlain(entry)) return [];
  if (!isPlain(entry['message'])) return entry['role'] !== undefined || isPlain(entry['info']) ? [entry] : [];
  const { id, timestamp } = entry;
  return [
    {
      ...(timestamp !== undefined && { timestamp }),
      ...entry['message'],
      ...(typeof id === 'string' && { id }),
    },
  ];
}

async function infoOf(session: SessionInfo, terms: ClientTerms): Promise<Fields> {
  const times = (await messages(session, terms)).map(
    ({ info }) => (info['time'] as { created: number }).created,
  );
  const { id, title, parent } = session;
  return {
    id,
    projectID: terms.project?.id ?? 'global',
    directory: terms.directory,
    ...(parent !== undefined && { parentID: parent }),
    title,
    version: '',
    time: { created: times[0] ?? 0, updated: times.at(-1) ?? 0 },
  };
}

interface SentPrompt {
  readonly message: Fields;
  readonly answered: Promise<void>;
}

/** `answered` is a promise inside an object, so that awaiting the object does not wait for the answer. */
async function sent({ id }: SessionInfo, body: Fields, terms: ClientTerms): Promise<SentPrompt> {
  const { services } = terms;
  const { parts, agent, system } = body;
  if (!Array.isArray(parts) || parts.length === 0)
    throw new ErrorAnswer(
      400,
      'BadRequest',
      "the body needs 'parts', a list such as [{ type: 'text', text: '…' }]",
    );
  const text = parts
    .flatMap((part: Fields) => (part?.['type'] === 'text' ? [String(part['text'])] : []))
    .join('\n');
  const reply = body['noReply'] !== true;
  const message = { info: { id: '', sessionID: id, role: 'user', time: { created: Date.now() } }, parts };
  if (isBeside(id, terms)) {
    const prompt = {
      text,
      reply,
      ...(typeof agent === 'string' && { agent }),
      ...(typeof system === 'string' && { system }),
    };
    return { message, answered: services.sessions!.prompt(id, prompt) };
  }
  if (services.messages === undefined) throw missing('messages', 'client.session.prompt');
  services.messages.send({ role: 'user', content: text, parts }, { trigger: reply });
  const answered = reply ? services.session?.waitForIdle?.() : undefined;
  return { message, answered: answered ?? Promise.resolve() };
}

function notFound(what: string): never {
  throw new ErrorAnswer(404, 'NotFoundError', `${what} does not exist`);
}
