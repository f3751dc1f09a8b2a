/** What the agent's own packages have and we have not. A module that only mentions it loads; whoever calls it is told. */
export interface Absences {
  /** Stands for it, by name. */
  of(name: string): unknown;
  /** The module has loaded: from now on a call is an error that says what is missing. */
  settle(): void;
}

export function absences(warn: (message: string, name: string) => void): Absences {
  let isLoading = true;
  const made = new Map<string, unknown>();
  const said = new Set<string>();
  /** A guard that goes on with nothing in its hands would say yes to everything: after loading, it hears an error. */
  const called = (name: string): unknown => {
    if (!isLoading)
      throw new Error(
        `${name} is not available: it works only inside pi. anyhook provides only part of that package`,
      );
    if (!said.has(name))
      warn(`uses ${name}, which is not available here; it only returns empty values`, name);
    said.add(name);
    return hollow(name);
  };
  const hollow = (name: string): unknown => {
    const known = made.get(name);
    if (known !== undefined) return known;
    const absent: unknown = new Proxy(class Absent {}, {
      get(target, key) {
        if (key === 'prototype') return target.prototype;
        if (key === Symbol.toPrimitive) return () => `[${name} is not available]`;
        return typeof key === 'symbol' || key === 'then' ? undefined : hollow(`${key} of ${name}`);
      },
      apply: () => called(name),
      // A class of the module's own may stand on it; there is nothing below.
      construct: (_, __, made) =>
        (made === absent ? called(name) : Object.create(made.prototype as object)) as object,
    });
    made.set(name, absent);
    return absent;
  };
  return { of: hollow, settle: () => void (isLoading = false) };
}

/** A package as a module may import it: what is here, and by its name what is not. */
export function packageWith(here: object, name: string, { of }: Absences): object {
  return new Proxy(
    { ...here, __esModule: true },
    {
      get(target, key) {
        if (key in target) return Reflect.get(target, key) as unknown;
        return typeof key === 'symbol' || key === 'then' ? undefined : of(`${key} of ${name}`);
      },
    },
  );
}
