/** The demo's session, for whoever wants to play it somewhere else. */
export { type Scene, STORY } from './demo/story.ts';
