export { readReply as read } from './read-reply.ts';
export { writeReply as write } from './write-reply.ts';
