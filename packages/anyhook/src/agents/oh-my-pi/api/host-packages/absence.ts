/**
 * Replaces members of the agent's packages that are not available here. A module that only mentions one loads; calling
 * one fails.
 */
export interface Absences {
  /** Returns the replacement for a name. */
  of(name: string): unknown;
  /** Called after the module has loaded. From then on a call throws an error that names the missing member. */
  settle(): void;
}

export function absences(warn: (message: string, name: string) => void): Absences {
  let isLoading = true;
  const made = new Map<string, unknown>();
  const reported = new Set<string>();
  /** A guard that continues without a result would allow everything, so after loading a call throws. */
  const called = (name: string): unknown => {
    if (!isLoading)
      throw new Error(
        `${name} is not available: it works only inside pi. anyhook provides only part of that package`,
      );
    if (!reported.has(name))
      warn(`uses ${name}, which is not available here; it only returns empty values`, name);
    reported.add(name);
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
      // A class of the module may extend it; the base class is empty.
      construct: (_, __, made) =>
        (made === absent ? called(name) : Object.create(made.prototype as object)) as object,
    });
    made.set(name, absent);
    return absent;
  };
  return { of: hollow, settle: () => void (isLoading = false) };
}

/** Returns a package with the available members, and replacements for all others. */
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
