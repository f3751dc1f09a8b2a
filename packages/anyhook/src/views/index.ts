export { label as hookLabel } from '../canon/hook.ts';
export { paintFor, type Paint } from './paint.ts';
export { brief, safe, safeJson, safeLine } from './safe.ts';
export { timeline, type TimelineFire } from './timeline.ts';
export { whatRuns } from './what-runs.ts';
