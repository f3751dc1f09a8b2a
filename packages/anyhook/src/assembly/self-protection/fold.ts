/** Names as the most forgetful file system compares them: case, Unicode forms, letters nobody sees, trailing dots. */
const UNSEEN = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;

/** For comparing only. Two names that fold alike may be one file somewhere, and so count as one. */
export const fold = (path: string): string =>
  path
    .normalize('NFKC')
    .replace(UNSEEN, '')
    .toLowerCase()
    .replaceAll('\\', '/')
    .split('/')
    .map((name) => (name === '.' || name === '..' ? name : name.replace(/(?<=.):.*$|[. ]+$/g, '')))
    .join('/');
