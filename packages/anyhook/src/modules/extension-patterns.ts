/** Which of a folder's extensions count, as pi's settings and manifests say it. */
import { basename, dirname, relative, resolve, sep } from 'node:path';
import picomatch from 'picomatch';

/**
 * Plain globs choose, none of them: all. `!glob` leaves out, `+path` takes in again, `-path` leaves out for good. A glob is
 * about the path below the folder or below its parent, the file's name, or the whole path.
 */
export function chosenBy(patterns: readonly string[], root: string): (file: string) => boolean {
  const marked = (mark: string) =>
    patterns.filter((one) => one.startsWith(mark)).map((one) => one.slice(mark.length));
  const globs = patterns.filter((one) => !/^[!+-]/.test(one)).map(fits);
  const [out, inAgain, outForGood] = [marked('!').map(fits), marked('+'), marked('-')];
  const isOne = (paths: readonly string[], file: string) =>
    paths.some((path) => [root, dirname(root)].some((from) => resolve(from, path) === file));
  return (file) => {
    const names = [relative(root, file), relative(dirname(root), file), basename(file), file].map((name) =>
      name.replaceAll(sep, '/'),
    );
    const isChosen = globs.length === 0 || names.some((name) => globs.some((one) => one(name)));
    const isOut = names.some((name) => out.some((one) => one(name)));
    return ((isChosen && !isOut) || isOne(inAgain, file)) && !isOne(outForGood, file);
  };
}

const fits = (glob: string): ((name: string) => boolean) =>
  picomatch(glob.replace(/^\.\//, ''), { dot: true });
