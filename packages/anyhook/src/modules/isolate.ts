/** Runs a module of another agent in its own process and exposes its hooks and offers here. */

import { pathToFileURL } from 'node:url';
import type { Dialect } from '../events/dialect.ts';
import type { Hook } from '../events/hook.ts';
import { NO_OFFERS } from '../events/offers.ts';
import type { Services } from '../events/services.ts';
import { ownFile } from '../own-files.mjs';
import { type ForeignOpened, openForeign, type OpenedForeign } from '../runners/isolated/open-foreign.ts';
import { type StrayError, strayErrorText } from '../runners/isolated/stray-error.ts';
import { MORE_TIME } from '../runners/module/load-module.mjs';
import type { About } from './child-program.ts';
import type { ModuleDescription } from './description.ts';
import { hostAdapters } from './host-adapters.ts';
import type { ForeignModule, LoadedModule, LoaderTerms } from './loader.ts';
import { missingModuleHook } from './missing-hook.ts';
import { offersOver } from './remote-offers.ts';
import { paletteOf } from './theme.ts';

export interface IsolatedModule extends LoadedModule {
  /** Undefined if the process could not be opened. */
  readonly opened?: OpenedForeign;
  readonly description?: ModuleDescription;
  /** Replaces the services. The process stays. */
  bind(services: Services): void;
  close(): void;
}
export interface IsolateTerms extends LoaderTerms {
  readonly dialect: Pick<Dialect, 'name' | 'words'>;
  /** The URL of the file that loads the module in the process. */
  readonly loader: string;
  /** Identifies the process in the `run` field of its hooks, which are called by index. */
  readonly key: string;
  /** Called for errors outside of a call, with the hook that caused them; default: log. */
  readonly onStray?: (text: string, hook: Hook | undefined) => void;
  /** Kills the process while it is still loading. */
  readonly signal?: AbortSignal;
}

const PROGRAM = pathToFileURL(ownFile('modules/child-program')).href;
/** Time for a module to clean up before its process ends. */
const DISPOSE_MS = 2_000;

export async function isolateModule(module: ForeignModule, terms: IsolateTerms): Promise<IsolatedModule> {
  const { dialect, loader, key, cwd, home, env, deadlineMs, handlerMs, kept } = terms;
  let { services } = terms;
  let hooks: readonly Hook[] = [];
  const about = (): About => {
    const theme = services.ui?.theme;
    return {
      loader,
      module,
      cwd,
      home,
      deadlineMs,
      ...(kept !== undefined && { kept }),
      ...(handlerMs !== undefined && { handlerMs }),
      ...(theme !== undefined && { palette: paletteOf(theme) }),
    };
  };
  const reportStray = (stray: StrayError) => {
    const text = strayErrorText(stray);
    if (terms.onStray !== undefined) terms.onStray(text, hooks[stray.index ?? -1]);
    else services.log?.('warn', `${module.shown}: ${text}`);
  };
  const opened = await openForeign(module.shown, {
    program: PROGRAM,
    about: about(),
    deadlineMs: 2 * deadlineMs, // once for loading, once for starting
    services,
    adapters: hostAdapters,
    env,
    cwd,
    ...(handlerMs !== undefined && { stallMs: handlerMs }),
    onStray: reportStray,
    ...(terms.signal && { signal: terms.signal }),
    onPrinted: (text) => services.log?.('info', text.trimEnd()),
  });
  if (!opened.ok) return notOpened(opened, module, dialect);
  const description = opened.description as ModuleDescription; // written by our own program in the process
  hooks = description.hooks.map(({ missing, ...hook }, index): Hook => ({
    ...hook,
    run: missing === undefined ? { kind: 'isolated', file: key, index } : { kind: 'missing', why: missing },
  }));
  return {
    hooks,
    offers: offersOver(description, opened.use),
    problems: description.problems,
    opened,
    description,
    bind(given) {
      services = given;
      opened.bind(given, about());
    },
    async dispose() {
      if (description.disposes) await inTime(opened.use((far) => far('dispose')));
    },
    close: () => opened.close(),
  };
}

function notOpened(
  { breakage, problem }: Exclude<ForeignOpened, { ok: true }>,
  module: ForeignModule,
  { name, words }: IsolateTerms['dialect'],
): IsolatedModule {
  const [word] = words['tool.before'] ?? [];
  // A dialect may let calls pass if a module does not load. A process that does not start is our own failure.
  const kind = breakage.kind === 'not-started' ? 'not-started' : 'not-loaded';
  const isLate = /did not finish loading/.test(problem.message);
  const detail = breakage.detail ?? breakage.kind;
  const why = { kind, detail: isLate ? `${detail}. ${MORE_TIME}` : detail } as const;
  const lost =
    word === undefined || module.as === 'tools' ? [] : [missingModuleHook(name, word, module, why)];
  const problems = [{ ...problem, file: module.shown, ...(isLate && { remedy: MORE_TIME }) }];
  return { hooks: lost, offers: NO_OFFERS, problems, bind() {}, close() {} };
}

async function inTime(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, DISPOSE_MS)));
  await Promise.race([work.catch(() => {}), late]).finally(() => clearTimeout(timer));
}
