import type { Locations } from '../events/dialect.ts';

/** Variables that a hook will receive, used to resolve `$HOME/…`, `$PWD/…` and `x:$PATH`. */
export const varsOf = ({ home, cwd, env }: Locations): Readonly<Record<string, string>> => ({
  HOME: home,
  PWD: cwd,
  ...(env['PATH'] === undefined ? {} : { PATH: env['PATH'] }),
});
