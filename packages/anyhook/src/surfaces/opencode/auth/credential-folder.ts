import { isAbsolute, join } from 'node:path';

/** Where logins are kept unless a host says otherwise: with the person's own data, outside every project. */
export function credentialFolder({
  home,
  env,
}: {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}): string {
  const set = env['XDG_DATA_HOME'] ?? '';
  return join(isAbsolute(set) ? set : join(home, '.local', 'share'), 'anyhook');
}
