/** Does what a plan says. The record is kept before the first file is touched: whatever happens then, there is a way back. */
import { mkdirSync, rmdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { Unreadable } from './json-text.ts';
import type { InstallPlan, Step } from './plan.ts';
import { dropRecord, keepRecord } from './record.ts';
import { targetFileOf } from './target.ts';

export function carryOut({ agent, where, steps, record }: InstallPlan): void {
  for (const { target, wanted } of steps) {
    const now = targetFileOf(target.file, target.of);
    const isSame =
      now.path === target.path &&
      (target.bytes === undefined ? now.bytes === undefined : now.bytes?.equals(target.bytes) === true);
    const isDone = wanted !== null && now.bytes?.equals(wanted) === true; // by the agent before this one
    if (!isSame && !isDone) throw new Unreadable(`${target.file} has changed in the meantime; try again.`);
  }
  const files = steps.flatMap(({ kept }) => kept ?? []);
  if (files.length > 0) keepRecord(record, { agent, scope: where.scope, files });
  for (const { target, wanted, mode } of steps.toSorted(oursFirst)) {
    if (wanted === null) rmSync(target.path, { force: true });
    else if (target.bytes?.equals(wanted) !== true) {
      mkdirSync(dirname(target.path), { recursive: true });
      // Keeps owner and mode of what was there, unless it is ours alone.
      writeFileAtomic.sync(target.path, wanted, mode === undefined ? {} : { mode });
    }
  }
  if (files.length > 0) return;
  for (const folder of new Set(steps.flatMap(({ folders }) => folders).toSorted(byDepth)))
    removeEmpty(folder);
  dropRecord(record);
}

/** What lines lead to is there before them. */
const oursFirst = (a: Step, b: Step): number => Number(b.mode !== undefined) - Number(a.mode !== undefined);

const byDepth = (a: string, b: string): number => b.length - a.length;

/** Somebody may have put something into it since. */
function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // not empty, or gone already
  }
}
