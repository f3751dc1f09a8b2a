import { signersOf } from '../console/journal-folder.ts';
import type { Locations, ManagedFolder } from '../events/dialect.ts';
import { foldersOf, locationsOf } from '../gather/folders.ts';

/** The questions of one user on this machine, and who may answer them. */
export interface ApprovalsOfUser {
  readonly locations: Locations;
  /** The folder of the `ApprovalStore`. */
  readonly folder: string;
  /** Names and public keys, read again with each call. Those of the administrator replace those of the user. */
  readonly signers: () => Readonly<Record<string, string>>;
}

export function approvalsOf(
  options: { readonly home?: string; readonly managed?: ManagedFolder } = {},
): ApprovalsOfUser {
  const locations = locationsOf(options);
  return { locations, folder: foldersOf(locations).approvals, signers: () => signersOf(locations) };
}
