import type { Shell, ShellTerms } from './make-shell.ts';

interface BunsOwn extends Shell {
  readonly Shell?: new () => Shell;
}

/** Bun's own `$`, when we run on Bun: an instance of it, so that one plugin's `$.cwd()` is not everybody's. */
export function bunShell({ cwd, env }: ShellTerms): Shell | undefined {
  const { Bun } = globalThis as { Bun?: { readonly $?: BunsOwn } };
  if (Bun?.$ === undefined) return undefined;
  if (Bun.$.Shell === undefined) return Bun.$;
  const own = new Bun.$.Shell();
  own.cwd(cwd);
  if (env !== undefined) own.env({ ...env });
  return own;
}
