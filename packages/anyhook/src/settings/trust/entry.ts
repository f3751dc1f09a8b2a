import type { Hook, Way } from '../../events/hook.ts';

/** The files that an entry may name: the words of a command, a module, or none. */
export type NamedFiles =
  | {
      readonly kind: 'command';
      readonly run: Extract<Way, { kind: 'command' }>['run'];
      /** Working directory for relative words. */
      readonly cwd: string;
      /** Variables that are set regardless of the environment. */
      readonly vars?: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'module'; readonly file: string }
  | { readonly kind: 'text' };

/** Something that a project wants to run, as data. Nothing of it has been run or imported. */
export interface TrustEntry {
  /** The settings file that contains it. */
  readonly file: string;
  /** All fields that affect when and how it runs. A change of any field makes a different entry. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly named: NamedFiles;
  /** The folder of the bound files if they are not in the project: that of the plugin. */
  readonly root?: string;
}

/** Returns the entry of a hook. `cwd` is the default working directory. */
export function entryOf(hook: Hook, cwd: string): TrustEntry {
  const {
    dialect,
    on,
    roles,
    matcher,
    background,
    shadow,
    sticky,
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
      ...(sticky === false && { sticky }),
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

/** Returns the entry of a module, to be judged before it is imported. */
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
  if (run.kind === 'call' && run.isPreset === true) return { kind: run.kind, isPreset: true };
  if (run.kind === 'call')
    throw new TypeError('a function has no content to trust: judge the module that provides it');
  // The test of a rule is compiled from its text.
  return run.kind === 'rule' ? { kind: run.kind, rule: run.rule } : run;
}
