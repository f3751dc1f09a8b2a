import type { Hook, Way } from '../../events/hook.ts';

/** Which files an entry may name: the words of a command, a module, or none. */
export type NamedFiles =
  | {
      readonly kind: 'command';
      readonly run: Extract<Way, { kind: 'command' }>['run'];
      /** Where its relative words are looked up. */
      readonly cwd: string;
      /** Variables it is given, whatever the environment says. */
      readonly vars?: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'module'; readonly file: string }
  | { readonly kind: 'text' };

/** One thing a project asks for, as data: nothing of it has run, been imported or reached the environment. */
export interface TrustEntry {
  /** The settings file that asks. */
  readonly file: string;
  /** Everything that says when and how it acts; any change of it is another entry. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly named: NamedFiles;
  /** Where the files lie that it is bound to, if not in the project: the folder of the plugin that brings it. */
  readonly root?: string;
}

/** The entry behind a hook; `cwd` is where it runs when it names no folder of its own. */
export function entryOf(hook: Hook, cwd: string): TrustEntry {
  const {
    dialect,
    on,
    roles,
    matcher,
    background,
    shadow,
    timeoutMs,
    onFailure,
    opaque,
    status,
    extra,
    run,
  } = hook;
  const match =
    hook.match.kind === 'pattern'
      ? { kind: 'pattern', source: hook.match.source }
      : hook.match.kind === 'names'
        ? { kind: 'names', names: hook.match.names }
        : { kind: 'any' };
  return {
    file: hook.origin.file,
    fields: {
      dialect,
      on,
      roles,
      match,
      matcher,
      run: sayable(run),
      background,
      shadow,
      timeoutMs,
      onFailure,
      opaque,
      status,
      extra,
    },
    named: namedBy(run, cwd),
    ...(hook.origin.plugin && { root: hook.origin.plugin.root }),
  };
}

/** A module that a project wants to be imported, judged before it is. */
export const moduleEntry = (
  file: string,
  settings: { file: string; dialect: string; options?: unknown },
): TrustEntry => ({
  file: settings.file,
  fields: { dialect: settings.dialect, module: file, options: settings.options },
  named: { kind: 'module', file },
});

function namedBy(run: Way, cwd: string): NamedFiles {
  if (run.kind === 'command') {
    return {
      kind: 'command',
      run: run.run,
      cwd: run.cwd ?? cwd,
      ...(run.set === undefined ? {} : { vars: run.set }),
    };
  }
  if (run.kind === 'isolated') return { kind: 'module', file: run.file };
  if (run.kind === 'mcp' && typeof run.server === 'object' && 'command' in run.server) {
    const { command, args = [], cwd: folder = cwd, env: vars } = run.server;
    return {
      kind: 'command',
      run: { argv: [command, ...args] },
      cwd: folder,
      ...(vars === undefined ? {} : { vars }),
    };
  }
  return { kind: 'text' };
}

function sayable(run: Way): unknown {
  if (run.kind === 'call')
    throw new TypeError('a function cannot be bound to content: judge the module that gives it');
  return run;
}
