export { isBuiltIn, label as hookLabel } from '../events/hook.ts';
export { paintFor, type Paint } from './paint.ts';
export { recordLine } from './record-lines.ts';
export { brief, safe, safeJson, safeLine } from './safe.ts';
export { type Screen, shortPath } from './screen.ts';
export { timeline, type TimelineFire } from './timeline.ts';
export { whatRuns } from './what-runs.ts';
