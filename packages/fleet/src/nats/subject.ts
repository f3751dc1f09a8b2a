/** Subjects name the source of records: `anyhook.records.<machine>.<user>`. */

import { createHash } from 'node:crypto';

export const STREAM = 'ANYHOOK';
const ROOT = 'anyhook.records';
export const EVERYBODY = `${ROOT}.>`;

export interface Source {
  readonly machine: string;
  readonly user: string;
}

export const subjectOf = ({ machine, user }: Source): string =>
  `${ROOT}.${tokenOf(machine)}.${tokenOf(user)}`;

/** The subjects that match a filter. */
export const subjectsOf = ({ machine, user }: Partial<Source>): string =>
  `${ROOT}.${machine === undefined ? '*' : tokenOf(machine)}.${user === undefined ? '*' : tokenOf(user)}`;

export function sourceOf(subject: string): Source {
  const [machine = '', user = ''] = subject.slice(ROOT.length + 1).split('.');
  return { machine, user };
}

/** Makes a name valid in a subject. Changed names get a hash, so that they stay distinct. */
export function tokenOf(name: string): string {
  if (/^[\w-]{1,64}$/.test(name)) return name;
  const plain = name.replaceAll(/[^\w-]+/g, '_').slice(0, 48);
  return `${plain}-${createHash('sha256').update(name).digest('hex').slice(0, 12)}`;
}
