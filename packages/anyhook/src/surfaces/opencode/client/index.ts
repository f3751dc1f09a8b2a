export { answerFrom } from './answer.ts';
export { BASE_URL, loadClient, makeClient } from './make-client.ts';
export type { ClientTerms } from './terms.ts';
