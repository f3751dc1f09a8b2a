/**
 * `anyhook view`, `/hooks view` in the agent, and `npm start -- --view`: serves the page over the journal until it is closed.
 */

import { join } from 'node:path';
import { Pin, pinFileIn } from '../approvals/pin.ts';
import { ApprovalStore } from '../approvals/store.ts';
import { journalFolderOf } from '../console/journal-folder.ts';
import { version } from '../console/version.ts';
import { EVERYTHING } from '../events/capabilities.ts';
import type { Locations } from '../events/dialect.ts';
import { foldersOf } from '../gather/folders.ts';
import type { Options } from '../gather/options.ts';
import { createRedactor, headFileOf, type Redactor, verifyInSteps } from '../journal/index.ts';
import type { Hooks } from '../library/hooks.ts';
import { projectLocations } from '../library/project-root.ts';
import { safe } from '../render/safe.ts';
import { JournalView } from './journal-view.ts';
import { answerFromPage, followQuestions, type QuestionsOptions, questionsPart } from './questions.ts';
import { LOOPBACK, serveView } from './serve.ts';
import type { ChainVerdict, HooksPart, RefusalSheet } from './wire.ts';

export interface ViewOptions {
  readonly cwd?: string;
  readonly home?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** What the caller trusts in addition to the user. Shown as trusted. */
  readonly trust?: NonNullable<Options['trust']>;
  /** The user started it, as far as that can be known, so its page may answer questions. */
  readonly isUsers?: boolean;
  /** Journals of other machines and the heads of their chains, by file name. */
  readonly places?: { readonly folder: string; readonly heads: string };
}

export interface View {
  /** With the token in the fragment, which browsers do not send. */
  readonly address: string;
  /** Address of a session by id, or of the list if it is unknown. */
  addressOf(session: string): string;
  /** Does not keep the process alive. */
  unref(): void;
  close(): Promise<void>;
}

/** What the routes and the export need to answer. */
export interface ViewParts {
  readonly journal: JournalView;
  readonly locations: Required<Locations>;
  readonly version: string;
  readonly redactor: Redactor;
  hooks(): Promise<HooksPart>;
  readonly questions: QuestionsOptions;
  chain(key: string): Promise<ChainVerdict | undefined>;
  refusal(key: string, at: number, by: string): Promise<RefusalSheet | undefined>;
}

const SESSIONS = 50;

export async function openView(options: ViewOptions = {}): Promise<View> {
  const parts = openParts(options);
  const { journal, questions } = parts;
  const server = await serveView({
    answers: {
      '/api/state': (query) => journal.state(parts.version, wholeIn(query, 'count') ?? SESSIONS),
      '/api/session': (query) => journal.part(query.get('key') ?? '', wholeIn(query, 'before')),
      '/api/hooks': () => parts.hooks(),
      '/api/questions': () => questionsPart(questions),
      '/api/chain': (query) => parts.chain(query.get('key') ?? ''),
      '/api/refusal': (query) =>
        parts.refusal(query.get('key') ?? '', wholeIn(query, 'at') ?? 0, query.get('by') ?? ''),
    },
    streams: {
      '/api/stream': (query, write) => {
        const key = query.get('key');
        const from = wholeIn(query, 'from') ?? 0;
        const { counted, trouble } = journal;
        write({ kind: 'state', counted, ...(trouble !== undefined && { trouble }) });
        const close = [
          journal.subscribe(write, key === null ? undefined : { key, from }),
          followQuestions(questions, (part) => write({ kind: 'questions', part })),
        ];
        return () => close.forEach((end) => end());
      },
    },
    actions: { '/api/answer': (body) => answerFromPage(body, questions) },
  });
  const address = `http://${LOOPBACK}:${server.port}/#${server.token}`;
  return {
    address,
    addressOf: (session) => {
      const key = journal.find(session)?.key;
      return key === undefined ? address : `${address}/session/${encodeURIComponent(key)}`;
    },
    unref: server.unref,
    close: async () => {
      journal.close();
      await server.close();
    },
  };
}

/** Undefined if it is not an integer. */
function wholeIn(query: URLSearchParams, name: string): number | undefined {
  const number = Number(query.get(name) ?? '-');
  return Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

const ELSEWHERE = 'these are records of other machines: their settings are not here';

function questionsFor({ isUsers, places }: ViewOptions, locations: Required<Locations>): QuestionsOptions {
  const folders = foldersOf(locations);
  return {
    store: new ApprovalStore(folders.approvals),
    pin: new Pin(pinFileIn(folders.data)),
    locations,
    whyNot:
      places !== undefined
        ? ELSEWHERE
        : isUsers === true
          ? undefined
          : 'only a view that you started in your own terminal may answer: run anyhook view there, or anyhook approvals',
  };
}

/** How long settings are cached. */
const SURVEY_MS = 5000;

export function openParts(options: ViewOptions): ViewParts {
  const locations = projectLocations(options);
  const { cwd, home } = locations;
  const from = { cwd, home };
  const { places } = options;
  const journal = new JournalView(places?.folder ?? journalFolderOf(locations), from);
  const redactor = createRedactor({ env: locations.env });
  const surveyed = places === undefined ? makeSurvey(options) : () => Promise.resolve(ELSEWHERE);
  return {
    journal,
    locations,
    redactor,
    version: version(),
    questions: questionsFor(options, locations),
    async hooks() {
      const [found, { hookSheets }] = await Promise.all([surveyed(), import('./hook-sheets.ts')]);
      const { tally, counted } = journal;
      return typeof found === 'string'
        ? hookSheets({ tally, counted, from, surveyed: undefined, trouble: found })
        : hookSheets({ tally, counted, from, surveyed: found });
    },
    async chain(key) {
      const file = journal.find(key);
      const first = file === undefined ? undefined : journal.record(file.key, 0);
      if (file === undefined) return undefined;
      const head =
        places === undefined
          ? headFileOf(foldersOf(locations).heads, first?.ids.session ?? file.key)
          : join(places.heads, `${file.key}.head`);
      const { ok, records, problems, notes } = await verifyInSteps(file.file, head);
      const words = (found: typeof problems) => found.map(({ message }) => safe(message));
      return { isSound: ok, records, problems: words(problems), notes: words(notes) };
    },
    async refusal(key, at, by) {
      const record = journal.record(key, at);
      const id = record?.hooks.find(({ hook }) => safe(hook.id) === by)?.hook.id; // the page uses the displayed id
      if (record === undefined || id === undefined) return undefined;
      const [found, { refusalSheet }] = await Promise.all([surveyed(), import('./refusal.ts')]);
      return refusalSheet({
        record,
        by: id,
        from,
        redactor,
        hooks: typeof found === 'string' ? undefined : found,
      });
    },
  };
}

/**
 * Reads the settings of the project from which the view was started. Runs and records nothing. A string explains why the
 * settings could not be read.
 */
function makeSurvey(options: ViewOptions): () => Promise<Hooks | string> {
  let [last, atMs]: [Promise<Hooks | string> | undefined, number] = [undefined, 0];
  return () => {
    if (last === undefined || performance.now() - atMs > SURVEY_MS) {
      atMs = performance.now();
      last = survey(options).catch((error: unknown) => `the settings cannot be read: ${String(error)}`);
    }
    return last;
  };
}

async function survey({ cwd, home, env, trust }: ViewOptions): Promise<Hooks> {
  const { createHooks } = await import('../library/create-hooks.ts'); // the first page does not wait for it
  const host = { name: 'anyhook', can: EVERYTHING } as const;
  const hooks = await createHooks({
    host,
    journal: false,
    ...(cwd !== undefined && { cwd }),
    ...(home !== undefined && { home }),
    ...(env !== undefined && { env }),
    ...(trust !== undefined && { trust }),
  });
  await hooks.close();
  return hooks;
}
