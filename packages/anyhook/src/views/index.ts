export { paintFor, type Paint } from './paint.ts';
export { brief, safe } from './safe.ts';
export { timeline, type Told } from './timeline.ts';
