/** What the text of a command line itself gives to its variables, loops included, and every text that a word may become. */
import type { ShellAssignment } from '../shell/read-script.ts';
import { toolPath } from '../events/tool-path.ts';

export interface ShellVariables {
  valuesOf(name: string): readonly string[];
  /** Every text that it may become; what no value is known of stays as it is written. */
  readonly expand: (text: string) => readonly string[];
  /** Some word had more values than were looked at. */
  readonly isCut: () => boolean;
}

const MOST_VALUES = 256;
const LONGEST_VALUE = 4096;
/** A variable may name another. */
const DEEPEST_VALUE = 4;
const VARIABLE = /\$(?:\{(\w+)\}|(\w+))/g;
/** `${XDG_CONFIG_HOME:-$HOME/.config}` */
const DEFAULTED = /\$\{(\w+):?[-=]([^{}]*)\}/g;
const LOOP = /\b(?:for|select)\s+(\w+)\s+in\s+([^;\n]+)/g;

export function variablesIn(
  settings: readonly ShellAssignment[],
  text: string,
  locations: { readonly cwd: string; readonly home: string },
  /** Any of them may stand in `$_`. */
  lastWords: readonly string[],
): ShellVariables {
  const { cwd, home } = locations;
  const values = new Map<string, Set<string>>();
  const give = (name: string, ...more: readonly string[]): void => {
    const known = values.get(name) ?? new Set();
    for (const value of more) known.add(value);
    values.set(name, known);
  };
  give('HOME', home);
  give('PWD', cwd);
  if (/\$(?:_\b|\{_\})/.test(text)) give('_', ...lastWords);
  for (const { name, value } of settings) give(name, value.value);
  for (const [, name, words] of text.matchAll(LOOP))
    give(name!, ...words!.replaceAll(/["']/g, '').trim().split(/\s+/));

  let isCut = false;
  const expand = (word: string): readonly string[] => {
    let found = [
      word
        .replace(/^\/proc\/(?:\$\$|\$PPID|\$\{\$\})\/cwd/, cwd)
        .replaceAll(DEFAULTED, (_, name: string, other: string) =>
          values.has(name) ? `\${${name}}` : other,
        ),
    ];
    for (let round = 0; round < DEEPEST_VALUE; round++) {
      const names = namesIn(found).filter((name) => values.has(name));
      if (names.length === 0) break;
      for (const name of names) {
        const next = new Set(
          found.flatMap((one) => [...values.get(name)!].map((value) => replaced(one, name, value))),
        );
        if (next.size > MOST_VALUES) isCut = true;
        found = [...next].slice(0, MOST_VALUES);
      }
    }
    return found.map((one) =>
      /^~\+?(?=\/|$)/.test(one) ? toolPath(one.replace(/^~\+/, '.'), locations) : one,
    );
  };
  return { valuesOf: (name) => [...(values.get(name) ?? [])], expand, isCut: () => isCut };
}

const namesIn = (texts: readonly string[]): string[] => [
  ...new Set(
    texts.flatMap((text) => [...text.matchAll(VARIABLE)].map(([, braced, plain]) => braced ?? plain!)),
  ),
];

const replaced = (text: string, name: string, value: string): string =>
  text
    .replaceAll(VARIABLE, (whole, braced, plain) => ((braced ?? plain) === name ? value : whole))
    .slice(0, LONGEST_VALUE);
