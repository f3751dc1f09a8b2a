/** Findings from the settings, the pause and the journal. */

import { acceptCommand } from '../../console/missing-guards.ts';
import { policyLine } from '../../console/policy-line.ts';
import { undoChoice } from '../../console/undo-settings.ts';
import { isOrganisations } from '../../events/hook.ts';
import { foldersOf } from '../../gather/folders.ts';
import { pauseFileIn, readPause } from '../../settings/pause.ts';
import { unsuitable, whyOffAt } from '../../undo/keeper.ts';
import { UndoStore } from '../../undo/store.ts';
import type { DoctorFinding } from '../look/finding.ts';
import type { Inspection } from '../look/inspection.ts';
import { journal } from './journal.ts';
import type { Lint } from './lint.ts';

export const state: Lint = (looked) => [
  ...managed(looked),
  ...paused(looked),
  ...undoOff(looked),
  ...missing(looked),
  ...settings(looked),
  ...strays(looked),
  ...journal(looked),
];

function managed({ policy, hooks }: Inspection): DoctorFinding[] {
  if (policy === undefined) return [];
  const own = hooks.filter(isOrganisations);
  const excepted = own.flatMap(({ exception }) => exception ?? []);
  return [
    {
      code: 'managed',
      severity: 'note',
      file: policy.file,
      what: `${policyLine(policy, policy.file)}.`,
      why: `${own.length === 1 ? 'One hook is' : `${own.length} hooks are`} your organisation's: nothing here switches them off.${excepted.map((one) => ` Not enforced for ${one}.`).join('')}`,
    },
  ];
}

function paused({ locations }: Inspection): DoctorFinding[] {
  const file = pauseFileIn(foldersOf(locations).data);
  const pause = readPause(file, Date.now());
  if (pause === undefined) return [];
  return [
    {
      code: 'paused',
      severity: 'warning',
      file,
      what: `All hooks are paused until ${new Date(pause.untilMs).toISOString()}.`,
      why: 'No guard runs until then.',
      remedy: 'To switch them on again: anyhook resume',
    },
  ];
}

function undoOff({ locations }: Inspection): DoctorFinding[] {
  const settings = undoChoice(locations);
  if (settings === undefined) return [];
  const store = new UndoStore(foldersOf(locations).undo, locations.cwd, settings);
  const why = unsuitable(locations.cwd, locations.home) ?? whyOffAt(store);
  if (why === undefined) return [];
  return [
    {
      code: 'undo-off',
      severity: 'warning',
      file: store.folder,
      what: `Undo is off in this project: ${why}.`,
      why: 'What an agent changes here cannot be put back with `anyhook undo`.',
      remedy: 'Leave folders out with "skip" in the "undo" settings, or raise the limit: see docs/undo.md',
    },
  ];
}

const missing = ({ missing: guards }: Inspection): DoctorFinding[] =>
  guards.map((guard) => ({
    code: 'guard-missing',
    severity: 'error',
    file: guard.file,
    what: `The guard ${guard.label} was trusted earlier and is now changed or missing.`,
    why: 'Calls that it covered need your confirmation, and are refused where you cannot be asked.',
    remedy: `Restore it, or accept: ${acceptCommand(guard)}`,
  }));

/** Unknown events with the nearest name, untrusted hooks and broken files, as in `list`. */
const settings = ({ problems }: Inspection): DoctorFinding[] =>
  problems.map(({ code, severity, file, line, column, key, message, remedy }) => ({
    code,
    severity,
    file,
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
    what: key === undefined ? message : `${key}: ${message}`,
    ...(remedy !== undefined && { remedy }),
  }));

/** A program that cannot start is reported with the hook that starts it. */
const strays = ({ strays: found }: Inspection): DoctorFinding[] =>
  found
    .filter(({ why }) => !/^it (?:is not executable|cannot start)/.test(why))
    .map(({ file, why }) => ({
      code: 'not-read',
      severity: 'warning',
      file,
      what: 'This looks like a hook and never runs.',
      why: `${why.slice(0, 1).toUpperCase()}${why.slice(1)}.`,
      remedy: 'Move it, name it in a settings file, or remove it.',
    }));
