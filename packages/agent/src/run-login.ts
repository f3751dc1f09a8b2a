/** `anyhook-agent login [provider]`: runs the login of a plugin and stores the credential outside every project. */

import { resolve } from 'node:path';
import { createHooks } from 'anyhook';
import { terminalUI } from 'anyhook/oh-my-pi';
import { credentialFolder, login, openCredentialStore } from 'anyhook/opencode';
import { safe } from 'anyhook/views';
import type { Login } from './args.ts';
import { CAN } from './hooks/can.ts';

export async function runLogin({ provider, cwd }: Login, home: string): Promise<number> {
  const folder = resolve(cwd);
  const hooks = await createHooks({
    host: { name: 'anyhook-agent', can: CAN },
    cwd: folder,
    services: { ui: terminalUI() },
    journal: false,
  });
  try {
    const offers = hooks.offers.auth;
    const known = [...new Set(offers.map((offer) => offer.provider))];
    const wanted =
      provider ?? (known.length === 1 ? known[0] : await terminalUI().select('Which provider?', known));
    if (wanted === undefined || known.length === 0) {
      say(
        known.length === 0
          ? 'no plugin here offers a login. Plugins are listed by `anyhook list`.'
          : 'nothing chosen.',
      );
      return 2;
    }
    const store = openCredentialStore(credentialFolder({ home, env: process.env }), { outside: folder });
    const result = await login({ offers, provider: wanted, dialogs: terminalUI(), store });
    say(
      result.kind === 'logged-in'
        ? `logged in to ${result.provider}.`
        : `not logged in: ${result.kind === 'failed' ? result.why : 'you left'}.`,
    );
    return result.kind === 'logged-in' ? 0 : 1;
  } finally {
    await hooks.close();
  }
}

const say = (text: string): void => void process.stderr.write(`anyhook-agent login: ${safe(text)}\n`);
