/** Transfers a session view between processes as a snapshot of its current values. */
type Method = (...args: unknown[]) => unknown;
type Session = Readonly<Record<string, unknown>>;

/** Calls all getters without arguments and collects the labels of entries. Values that cannot be cloned are omitted. */
export function viewOf(view: unknown): Record<string, unknown> {
  if (typeof view !== 'object' || view === null) return {};
  const values: Record<string, unknown> = {};
  for (const name of methodsOf(view)) {
    const method = (view as Record<string, Method>)[name];
    if (!/^get[A-Z]/.test(name) || typeof method !== 'function' || method.length > 0) continue;
    const value = plain(() => method.call(view));
    if (value !== undefined) values[name] = value;
  }
  const { getLabel } = view as Record<string, Method | undefined>;
  if (getLabel !== undefined && Array.isArray(values['getEntries']))
    values['labels'] = Object.fromEntries(
      (values['getEntries'] as readonly { readonly id?: string }[]).flatMap(({ id }) => {
        const label = id === undefined ? undefined : plain(() => getLabel.call(view, id));
        return label === undefined ? [] : [[id, label]];
      }),
    );
  return values;
}

/** Recreates a view from a snapshot. Lookups of entries by id and of branches are left to the caller. */
export function sessionOf(values: Session): Record<string, Method> {
  const { labels = {}, ...getters } = values as { labels?: Readonly<Record<string, unknown>> } & Session;
  return {
    ...Object.fromEntries(
      Object.entries(getters).map(([name, value]) => [name, () => structuredClone(value)]),
    ),
    getLabel: (id) => labels[String(id)],
  };
}

function methodsOf(view: object): string[] {
  const names = new Set<string>();
  for (let at: object | null = view; at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at))
    for (const name of Object.getOwnPropertyNames(at)) names.add(name);
  return [...names];
}

function plain(look: () => unknown): unknown {
  try {
    const text = JSON.stringify(look());
    return text === undefined ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}
