/** Carries out a plan completely or not at all. Writes the record before the first file, so an uninstall is always possible. */

import { existsSync, rmdirSync } from 'node:fs';
import { Unreadable } from './json-text.ts';
import type { InstallPlan, Step } from './plan.ts';
import { dropRecord, keepRecord, readInstallRecord } from './record.ts';
import { targetFileOf } from './target.ts';
import { checkWritable, writeTarget } from './write-target.ts';

export function carryOut(plan: InstallPlan): void {
  checkPlan(plan);
  const { agent, where, steps, record } = plan;
  const changed = changedOf(plan);
  const files = keptIn(plan);
  const known = readInstallRecord(record);
  try {
    if (files.length > 0) keepRecord(record, { agent: agent.name, scope: where.scope, files });
    for (const { target, wanted, mode } of changed) writeTarget(target, wanted, mode);
    if (files.length === 0) dropRecord(record);
  } catch (error) {
    takeBack(changed);
    if (known === undefined) dropRecord(record);
    else keepRecord(record, known);
    throw error;
  }
  const removed = files.length > 0 ? steps.filter(({ wanted }) => wanted === null) : steps;
  for (const folder of new Set(removed.flatMap(({ folders }) => folders).toSorted(byDepth)))
    removeEmpty(folder);
}

/** Throws before any change if the plan cannot be carried out completely. */
export function checkPlan(plan: InstallPlan): void {
  const { steps, record } = plan;
  for (const { target, wanted } of steps) {
    const now = targetFileOf(target.file, target.of);
    const isSame = now.path === target.path && isSameBytes(now.bytes, target.bytes ?? null);
    const isDone = wanted !== null && now.bytes?.equals(wanted) === true; // changed for an earlier agent of the same run
    if (!isSame && !isDone) throw new Unreadable(`${target.file} has changed in the meantime; try again.`);
  }
  for (const { target } of changedOf(plan)) checkWritable(target);
  if (keptIn(plan).length > 0 || existsSync(record)) checkWritable({ file: record, path: record });
}

const keptIn = ({ steps }: InstallPlan) => steps.flatMap(({ kept }) => kept ?? []);
const changedOf = ({ steps }: InstallPlan): readonly Step[] =>
  steps.filter(({ target, wanted }) => !isSameBytes(target.bytes, wanted)).toSorted(oursFirst);

const isSameBytes = (bytes: Buffer | undefined, wanted: Buffer | null): boolean =>
  wanted === null ? bytes === undefined : bytes?.equals(wanted) === true;

/** Restores the files written before an error, as far as the disk allows. */
function takeBack(changed: readonly Step[]): void {
  for (const { target, kept } of changed)
    try {
      writeTarget(target, target.bytes ?? null);
      for (const folder of kept?.folders ?? []) removeEmpty(folder);
    } catch {
      // this write was the one that failed
    }
}

/** Writes our files before the lines that refer to them. */
const oursFirst = (a: Step, b: Step): number => Number(b.mode !== undefined) - Number(a.mode !== undefined);

const byDepth = (a: string, b: string): number => b.length - a.length;

/** Other programs may have added files to it. */
function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // not empty, or already gone
  }
}
