/** Writes `anyhook-client.conf`, from which the client reads all paths: docs/reference/protocol.md. */

import type { Setup } from '../agents/shared/bridge.ts';
import { clientConfFile } from '../agents/shared/client-command.ts';
import type { Locations } from '../events/dialect.ts';
import { readOwn, writeOwn } from '../settings/own-file.ts';
import { daemonPlaceOf, isTooLong } from './place.ts';
import { isDaemonOff } from './setting.ts';

type Programs = Pick<Setup, 'node' | 'bin'>;

export const clientConf = ({ node, bin }: Programs, locations: Locations): string =>
  confText({ node, program: bin, ...socketFor(locations) });

/** Root's own program by its full name, and no daemon, which is a process of the user. */
export const managedClientConf = ({ node, bin }: Programs): string =>
  confText({ node, program: bin, managed: 'yes' });

const confText = (values: Readonly<Record<string, string>>): string =>
  `# Read by anyhook-client. Written by \`anyhook install\`.\n${Object.entries(values)
    .map(([key, value]) => `${key}=${value}\n`)
    .join('')}`;

/** What the client would start. */
export function programsIn(conf: string): Programs | undefined {
  const values = valuesIn(conf);
  const [node, bin] = [values['node'], values['program']];
  return node === undefined || bin === undefined ? undefined : { node, bin };
}

const valuesIn = (conf: string): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(
    conf.split('\n').flatMap((line) => {
      const [, key, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
      return key === undefined ? [] : [[key, value]];
    }),
  );

/** Without a socket the client never waits for a daemon that cannot start. */
function socketFor(locations: Locations): { readonly socket?: string } {
  const place = daemonPlaceOf(locations);
  return isDaemonOff(locations) || isTooLong(place) ? {} : { socket: place.socket };
}

/** After `"daemon"` was switched on or off in the settings. */
export function keepClientInStep(locations: Locations): void {
  const file = clientConfFile(locations);
  const text = readOwn(file)?.toString();
  const programs = text === undefined ? undefined : programsIn(text);
  if (programs === undefined) return;
  const wanted = clientConf(programs, locations);
  if (text !== wanted) writeOwn(file, wanted);
}
