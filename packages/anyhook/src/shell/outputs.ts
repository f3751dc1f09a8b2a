/** The output of programs that only print or transform their arguments and input. */

/** What a command reads from its input. */
export type Input =
  | { readonly kind: 'text'; readonly text: string }
  /** A file, or the output of some program. If it lists files, the folders that contain them; `paths` if it is files. */
  | { readonly kind: 'elsewhere'; readonly below?: readonly string[]; readonly paths?: readonly string[] }
  /** Text that a program on the line creates at run time. */
  | { readonly kind: 'made'; readonly by: string; readonly fetched?: true };

/**
 * The input of a whole tool call. Agents give their shell no input, so a shell or interpreter that reads its program there
 * exits at once. For agents that can type into a running program, `gather/side-routes.ts` has a guard.
 */
export const NO_INPUT: Input = Object.freeze({ kind: 'text', text: '' });

/** The text may contain the input of a program: a pipe, a redirection, `>(…)` or a coprocess. */
export const mayFeed = (text: string): boolean => /<|\||>\(|\bcoproc\b/.test(text.replaceAll('||', ''));

const LONGEST = 1024;

/** The output of `echo` and similar programs; undefined for other programs. */
export function textOf(words: readonly string[]): Input | undefined {
  const [name = '', ...args] = words;
  switch (baseOf(name)) {
    case 'echo': {
      const options = args.findIndex((arg) => !/^-[neE]+$/.test(arg));
      const rest = options === -1 ? [] : args.slice(options);
      const text = rest.join(' ');
      return { kind: 'text', text: `${/^-\w*e/.test(args[0] ?? '') ? unescapedOutput(text) : text}\n` };
    }
    case 'printf': {
      if (args[0] === '-v') return undefined;
      const [format = '', ...values] = args[0] === '--' ? args.slice(1) : args;
      return { kind: 'text', text: printed(format, values) };
    }
    case 'which':
    case 'command':
    case 'type':
    case 'readlink':
    case 'realpath': {
      const operand = args.find((arg) => !arg.startsWith('-'));
      return operand === undefined ? undefined : { kind: 'text', text: `${operand}\n` };
    }
    case 'basename':
      return args[0] === undefined ? undefined : { kind: 'text', text: `${baseOf(args[0])}\n` };
    default:
      return undefined;
  }
}

/** The output of a program with this input. `args` is undefined if only run time knows them. */
export function filtered(
  name: string,
  args: readonly string[] | undefined,
  input: Input | undefined,
  texts: readonly string[] = [],
): Input {
  const program = baseOf(name);
  const made: Input = { kind: 'made', by: program };
  if (input?.kind === 'text' && args !== undefined && input.text.length <= LONGEST) {
    const text = turned(program, args, input.text);
    if (text !== undefined && text.length <= LONGEST) return { kind: 'text', text };
  }
  const fetched = FETCHES.has(program) || (input?.kind === 'made' && input.fetched === true);
  if (fetched) return { ...made, fetched: true };
  if (DECODES.has(program)) return made;
  // These programs print their input.
  if (REPEATS.has(program))
    return input?.kind === 'made' || input?.kind === 'text'
      ? made
      : {
          kind: 'elsewhere',
          paths: [...(input?.paths ?? []), ...(program === 'cat' ? operandsIn(args) : [])],
        };
  if (LISTS.has(program)) {
    const option = texts.findIndex((text) => /^[-(!]./.test(text) && program === 'find');
    const places = (option === -1 ? texts : texts.slice(0, option)).filter(
      (text) => !/^-|^\.\/?$/.test(text),
    );
    return { kind: 'elsewhere', below: places };
  }
  return { kind: 'elsewhere' };
}

const operandsIn = (args: readonly string[] = []): readonly string[] =>
  args.filter((arg) => !arg.startsWith('-'));

/** They print names of files below their arguments. */
const LISTS = new Set('find gfind ls fd fdfind realpath readlink du tree'.split(' '));

function turned(program: string, args: readonly string[], text: string): string | undefined {
  const has = (pattern: RegExp) => args.some((arg) => pattern.test(arg));
  switch (program) {
    case 'cat':
    case 'tee':
      return program === 'tee' || args.every((arg) => arg === '-') ? text : undefined;
    case 'rev':
      return text
        .split('\n')
        .map((line) => [...line].toReversed().join(''))
        .join('\n');
    case 'tac':
      return `${text.replace(/\n$/, '').split('\n').toReversed().join('\n')}\n`;
    case 'base64':
      return has(/^(?:-d|-D|-di|--d[a-z]*)$/) ? decoded(text, 'base64') : undefined;
    case 'base32':
      return undefined;
    case 'xxd':
      return has(/^-[a-z]*r/) ? decoded(text.replaceAll(/\s+/g, ''), 'hex') : undefined;
    case 'openssl':
      return args[0] === 'base64' && has(/^-d$/) ? decoded(text, 'base64') : undefined;
    case 'tr':
      return translated(args, text);
    case 'head':
    case 'tail':
    case 'grep':
    case 'sort':
    case 'uniq':
      return text; // at most this
    default:
      return undefined;
  }
}

const decoded = (text: string, encoding: 'base64' | 'hex'): string =>
  Buffer.from(text, encoding).toString('utf8');

function translated(args: readonly string[], text: string): string | undefined {
  if (args[0] === '-d' && args[1] !== undefined) {
    const gone = setOf(args[1]);
    return [...text].filter((char) => !gone.includes(char)).join('');
  }
  const [from, to] = args.map(setOf);
  if (from === undefined || to === undefined || args.length !== 2) return undefined;
  return [...text]
    .map((char) => (from.includes(char) ? (to[from.indexOf(char)] ?? to.at(-1) ?? '') : char))
    .join('');
}

const CLASSES: Readonly<Record<string, string>> = {
  '[:lower:]': 'a-z',
  '[:upper:]': 'A-Z',
  '[:space:]': ' \t\n',
};
function setOf(source: string): readonly string[] {
  const plain = unescapedOutput(
    Object.entries(CLASSES).reduce((text, [name, set]) => text.replaceAll(name, set), source),
  );
  return [
    ...plain.replaceAll(/(.)-(.)/gs, (_, low: string, high: string) => {
      const [first, last] = [low.charCodeAt(0), high.charCodeAt(0)];
      if (last < first || last - first > 256) return '';
      return Array.from({ length: last - first + 1 }, (__, at) => String.fromCharCode(first + at)).join('');
    }),
  ];
}

function printed(format: string, values: readonly string[]): string {
  const rest = [...values];
  const once = () =>
    unescapedOutput(format).replaceAll(/%(?:%|[-0-9.]*([sbdqc]))/g, (whole, letter?: string) => {
      if (whole === '%%') return '%';
      const value = rest.shift() ?? '';
      return letter === 'b' ? unescapedOutput(value) : value;
    });
  let text = once();
  for (let rounds = 0; rest.length > 0 && rounds < 64 && /%[-0-9.]*[sbdqc]/.test(format); rounds++)
    text += once();
  return text;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\', a: '', e: '\x1b' };
export const unescapedOutput = (text: string): string =>
  text.replaceAll(
    /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{4})|(0?[0-7]{1,3})|(.))/gs,
    (_, hex, code, octal, letter) => {
      if (hex !== undefined || code !== undefined)
        return String.fromCharCode(Number.parseInt(hex ?? code, 16));
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
      return Object.hasOwn(ESCAPES, letter) ? (ESCAPES[letter] ?? '') : `\\${letter}`;
    },
  );

/** Their output comes from another place, such as the network. */
const FETCHES = new Set('curl wget http https fetch aria2c nc ncat socat ftp lynx w3m dig gh scp'.split(' '));
/** Their output differs from their arguments and input. */
const DECODES = new Set(
  'base64 base32 openssl xxd gunzip zcat gzip bunzip2 xz unxz zstd uudecode tr rev sed awk gawk perl python python3 node ruby php jq cut printf echo dd iconv gpg'.split(
    ' ',
  ),
);
const REPEATS = new Set('cat tee head tail grep sort uniq tac nl paste fold column strings'.split(' '));

const baseOf = (name: string): string => name.slice(name.lastIndexOf('/') + 1);
