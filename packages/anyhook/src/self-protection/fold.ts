/** Names as the most forgetful file system compares them: case, Unicode forms, letters nobody sees, trailing dots. */
const UNSEEN = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;

/** For comparing only. Two names that fold alike may be one file somewhere, and so count as one. */
export function fold(path: string): string {
  const letters = PLAIN.test(path) ? path : path.normalize('NFKC').replace(UNSEEN, '');
  const said = letters.toLowerCase().replaceAll('\\', '/');
  if (!TAILED.test(said)) return said;
  return said
    .split('/')
    .map((name) => (name === '.' || name === '..' ? name : name.replace(/(?<=.):.*$|[. ]+$/g, '')))
    .join('/');
}
/** Texts are long and folded often; most have nothing of what makes it costly. */
const PLAIN = /^[\x20-\x7e\n\t]*$/;
const TAILED = /:|[. ](?:\/|$)/;
