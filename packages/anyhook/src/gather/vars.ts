import type { Locations } from '../events/dialect.ts';

/** What the environment will give a hook, so that `$HOME/…`, `$PWD/…` and `x:$PATH` are seen for what they name. */
export const varsOf = ({ home, cwd, env }: Locations): Readonly<Record<string, string>> => ({
  HOME: home,
  PWD: cwd,
  ...(env['PATH'] === undefined ? {} : { PATH: env['PATH'] }),
});
