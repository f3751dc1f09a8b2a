// What the benchmarks measure below the doors: built with the package, as `dist/internals.js`, and not published.
export { AGENTS } from '../packages/anyhook/src/agents/index.ts';
export { EVERYTHING } from '../packages/anyhook/src/canon/capabilities.ts';
export { diff } from '../packages/anyhook/src/canon/changes.ts';
export { EVENT_NAMES } from '../packages/anyhook/src/canon/events.ts';
export { hookFromDefinition } from '../packages/anyhook/src/dialects/anyhook/definition.ts';
export { anyhook } from '../packages/anyhook/src/dialects/anyhook/index.ts';
export { makeEngine } from '../packages/anyhook/src/engine/engine.ts';
export { makePlans } from '../packages/anyhook/src/engine/plan.ts';
export { carryOut } from '../packages/anyhook/src/hosts/install/carry-out.ts';
export { planInstall } from '../packages/anyhook/src/hosts/install/plan.ts';
export { setupFor } from '../packages/anyhook/src/hosts/install/setup.ts';
export { askStatus, isRunning, ownerIn } from '../packages/anyhook/src/hosts/warm/owner.ts';
export { enginePlaces } from '../packages/anyhook/src/hosts/warm/places.ts';
export { makeRecord, openJournal } from '../packages/anyhook/src/journal/index.ts';
export { runCall } from '../packages/anyhook/src/runners/call.ts';
export { openCommandRunner } from '../packages/anyhook/src/runners/command/index.ts';
export { loadModule } from '../packages/anyhook/src/runners/module/load-module.mjs';
export { removeTree } from '../packages/anyhook/src/settings/remove-tree.ts';
