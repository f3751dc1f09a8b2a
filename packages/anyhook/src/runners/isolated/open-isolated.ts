/** Opens a module in its own process, so that it cannot affect the host. */

import type { Definition } from '../../events/define.ts';
import type { Event } from '../../events/event.ts';
import type { HookFailure, Limit, Reply } from '../../events/exchange.ts';
import type { Problem } from '../../events/problems.ts';
import { type Services, ServiceMissing, withDefaults } from '../../events/services.ts';
import { checkDefinitions, type OtherExport, type Unsound } from '../module/definitions-in.ts';
import { LOAD_DEADLINE_MS, MORE_TIME } from '../module/load-module.mjs';
import { describeThrown } from '../module/thrown.mjs';
import { brokenReply } from './broken-reply.ts';
import { hostServices } from './host-services.ts';
import { PackWriter } from './pack.mjs';
import { type StrayError, strayErrorText } from './stray-error.ts';
import { type Ready, Supervisor } from './supervisor.ts';

const serialised = new WeakMap<Event, string>();
/** Serialises an event once for all hooks. */
function eventJson(event: Event): string {
  const known = serialised.get(event);
  if (known !== undefined) return known;
  const json = JSON.stringify(event);
  if (Object.isFrozen(event)) serialised.set(event, json);
  return json;
}

export interface IsolatedOptions {
  /** For loading the module; each run has its own deadline. */
  readonly deadlineMs?: number;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  readonly memoryMb?: number;
  /** Import name → file, in addition to our own names. */
  readonly alias?: Readonly<Record<string, string>>;
  /** Cache folder for compiled code. */
  readonly kept?: string;
  readonly services?: Services;
  /** Receives stray errors of the module, with the export whose call caused them. Default: log them. */
  readonly onStray?: (stray: StrayError, from: string | undefined) => void;
}

/** A definition without its code, so that it can be sent. */
export type DescribedDefinition = Omit<Definition, 'run'> & { readonly export: string };

export interface IsolatedModuleHandle {
  readonly ok: true;
  readonly definitions: readonly DescribedDefinition[];
  readonly unsound: readonly Unsound[];
  /** Its other exports. */
  readonly others: readonly OtherExport[];
  readonly problems: readonly Problem[];
  /** Runs `definitions[index]`. Never rejects. */
  run(index: number, event: Event, limit: Limit): Promise<Reply>;
  /** The program can end without it. */
  close(): void;
}
export type OpenResult =
  | IsolatedModuleHandle
  | { readonly ok: false; readonly breakage: HookFailure; readonly problem: Problem };

export const MEMORY_MB = 512;

export async function openIsolated(file: string, options: IsolatedOptions = {}): Promise<OpenResult> {
  const services = withDefaults(options.services ?? {}, noExec);
  const onStray = options.onStray ?? ((stray) => services.log('warn', strayErrorText(stray)));
  let defined: Ready['defined'] = [];
  const supervisor = new Supervisor({
    file,
    alias: options.alias ?? {},
    ...(options.kept !== undefined && { kept: options.kept }),
    deadlineMs: options.deadlineMs ?? LOAD_DEADLINE_MS,
    services: hostServices(services, { pause: () => () => {} }), // clocks of our own hooks are not paused
    env: options.env ?? process.env,
    cwd: options.cwd ?? process.cwd(),
    memoryMb: options.memoryMb ?? MEMORY_MB,
    onStray: (stray) => onStray(stray, defined[stray.index ?? -1]?.export),
  });
  const started = await supervisor.start();
  if (!started.ok) {
    supervisor.close();
    return {
      ok: false,
      breakage: started.breakage,
      problem: started.problem ?? problemOf(started.breakage, file),
    };
  }
  ({ defined } = started.ready);
  return isolated(supervisor, started.ready, file);
}

/** Checks the definitions like those of in-process modules; only valid ones can run. */
function isolated(supervisor: Supervisor, ready: Ready, file: string): IsolatedModuleHandle {
  const candidates = ready.defined.map((one) => ({ ...one, fields: withCode(one.fields) }));
  const { definitions, unsound, problems } = checkDefinitions(candidates, ready.others, file);
  const positions = definitions.map((found) => ready.defined.findIndex((one) => one.export === found.export));
  return {
    ok: true,
    definitions: definitions.map(({ export: name, definition }) => ({
      ...withoutCode(definition),
      export: name,
    })),
    unsound,
    others: ready.others,
    problems,
    run: (index, event, limit) => {
      const position = positions[index];
      if (position === undefined) throw new RangeError(`${file} has no hook number ${index}`);
      return runOf(supervisor, position, event, limit);
    },
    close: () => supervisor.close(),
  };
}

async function runOf(supervisor: Supervisor, position: number, event: Event, limit: Limit): Promise<Reply> {
  let json: string;
  try {
    json = eventJson(event);
  } catch (error) {
    const detail = `the event cannot be sent to an isolated module: ${describeThrown(error).message}`;
    return brokenReply({ kind: 'not-started', detail });
  }
  return await supervisor.run(position, new PackWriter(`[${json}]`), limit);
}

const noExec = () => Promise.reject(new ServiceMissing('exec', 'host.exec'));

function withoutCode(definition: Definition): Omit<Definition, 'run'> {
  const { run, ...fields } = definition;
  void run;
  return fields;
}

/** The code stays in the other process; here it only matters that there is some. */
const withCode = (fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  fields['run'] === 'function' ? { ...fields, run: () => {} } : fields;

export const problemOf = (breakage: HookFailure, file: string): Problem => ({
  code: 'not-loaded',
  file,
  message: `the module could not be loaded in its own process: ${breakage.detail ?? breakage.kind}`,
  ...(/did not finish loading/.test(breakage.detail ?? '') && { remedy: MORE_TIME }),
  severity: 'error',
});
