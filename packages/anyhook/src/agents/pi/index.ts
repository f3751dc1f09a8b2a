export { piAgent as record } from './record.ts';
