/** A module of another dialect in a process of its own: the same hooks and offers, called over there. */
import { RpcSession } from 'capnweb';
import type { Dialect } from '../../canon/dialect.ts';
import type { Hook } from '../../canon/hook.ts';
import { NO_OFFERS } from '../../canon/offers.ts';
import type { Dialogs, Services, Sessions } from '../../canon/services.ts';
import { type OpenedProgram, openProgram, type ProgramOpened } from '../../runners/isolated/open-program.ts';
import type { Brought, GuestModule, GuestTerms } from './guest.ts';
import { Desk } from './desk.ts';
import { missingGuest } from './missing.ts';
import { offersOver } from './offers.ts';
import type { About } from './process.ts';
import { viewOf } from './session.ts';
import { paletteOf } from './theme.ts';
import type { Told } from './told.ts';

export interface IsolatedGuest extends Brought {
  /** Undefined where nothing could be opened. */
  readonly opened?: OpenedProgram;
  readonly told?: Told;
  /** Other services from now on; the process stays as it is. */
  bind(services: Services): void;
  close(): void;
}

const PROGRAM = new URL(import.meta.url.endsWith('.ts') ? './process.ts' : './process.js', import.meta.url)
  .href;
/** A module has so long to put things in order before its process ends. */
const DISPOSE_MS = 2_000;

type OpenedGuest = readonly [opened: ProgramOpened, bind: (services: Services) => void];

async function openGuest(dialect: string, module: GuestModule, terms: GuestTerms): Promise<OpenedGuest> {
  const { cwd, home, env, deadlineMs, handlerMs } = terms;
  let { services } = terms;
  let opened: ProgramOpened | undefined;
  const pause = () => (opened?.ok === true ? opened.pause() : () => {});
  const told = { dialect, module, cwd, home, deadlineMs, ...(handlerMs !== undefined && { handlerMs }) };
  const about = (): About => {
    const theme = services.ui?.theme;
    return { ...told, ...(theme !== undefined && { palette: paletteOf(theme) }) };
  };
  opened = await openProgram(module.shown, {
    program: PROGRAM,
    about: about(),
    deadlineMs: 2 * deadlineMs, // loading and starting, each
    services: crossing(services, pause),
    talk: (rpc) => new RpcSession(rpc, new Desk(() => services, pause)).getRemoteMain(),
    env,
    cwd,
    ...(handlerMs !== undefined && { stallMs: handlerMs }),
  });
  const bind = (given: Services) => {
    services = given;
    if (opened.ok) opened.bind(crossing(given, pause), about());
  };
  return [opened, bind];
}

/** Hooks are called by their place; `key` names the process in their way of running. */
export async function isolateGuest(
  { name, words }: Dialect,
  module: GuestModule,
  terms: GuestTerms,
  key: string,
): Promise<IsolatedGuest> {
  const [opened, bind] = await openGuest(name, module, terms);
  if (!opened.ok) {
    const problem = { ...opened.problem, file: module.shown };
    const [word] = words['tool.before'] ?? [];
    // However its process ended: it was not there to be asked, which is what the dialect's rule is about.
    const why = { kind: 'not-loaded', detail: opened.breakage.detail ?? opened.breakage.kind } as const;
    const lost = word === undefined || module.as === 'tools' ? [] : [missingGuest(name, word, module, why)];
    return { hooks: lost, offers: NO_OFFERS, problems: [problem], bind() {}, close() {} };
  }
  const told = opened.told as Told; // said by our own program over there
  return {
    hooks: told.hooks.map(({ missing, ...hook }, index): Hook => ({
      ...hook,
      run: missing === undefined ? { kind: 'isolated', file: key, index } : { kind: 'missing', why: missing },
    })),
    offers: offersOver(told, opened.use),
    problems: told.problems,
    opened,
    told,
    bind,
    async dispose() {
      if (told.disposes) await inTime(opened.use((main) => (main as { dispose(): Promise<void> }).dispose()));
    },
    close: () => opened.close(),
  };
}

async function inTime(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, DISPOSE_MS)));
  await Promise.race([work.catch(() => {}), late]).finally(() => clearTimeout(timer));
}

/** A hook's time stands still while a person is asked; a session's view crosses as what it says. */
function crossing(services: Services, pause: () => () => void): Services {
  return new Proxy(services, {
    get(home, name) {
      const { ui, session } = home;
      if (name === 'ui') return ui && askedOf(ui, pause);
      if (name === 'session') return session && seenOf(session);
      return home[name as keyof Services];
    },
  });
}

type Ask = (...args: never[]) => Promise<unknown>;

function askedOf(ui: Dialogs, pause: () => () => void): Dialogs {
  const asked = <F extends Ask>(ask: F): F =>
    (async (...args: Parameters<F>) => {
      const goOn = pause();
      try {
        return await ask.apply(ui, args);
      } finally {
        goOn();
      }
    }) as F;
  return {
    ...withMethods(ui),
    select: asked(ui.select),
    confirm: asked(ui.confirm),
    input: asked(ui.input),
    ...(ui.editor && { editor: asked(ui.editor) }),
  };
}

const seenOf = (session: Sessions): Sessions => ({
  ...withMethods(session),
  ...(session.view && { view: () => viewOf(session.view!()) }),
});

const METHODS =
  'select confirm input editor custom notify status setEditorText getEditorText entries view act isIdle waitForIdle abort hasQueued'.split(
    ' ',
  );
/** A service may be an instance of a class: its methods count, bound to it. */
function withMethods<T extends object>(home: T): T {
  const bound = METHODS.flatMap((name) => {
    const method: unknown = Reflect.get(home, name);
    return typeof method === 'function' ? [[name, method.bind(home)]] : [];
  });
  return Object.fromEntries(bound) as T;
}
