/** What npm calls a package specifier, read as far as it tells under which name the package is installed. */
export interface PackageSpec {
  readonly name: string;
  /** A version, a range, a tag, an address; `latest` where nothing was said. */
  readonly version: string;
}

const NAME = /^(?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*$/i;

/** None for an address alone: only installing it would tell what it is called. */
export function packageSpec(spec: string): PackageSpec | undefined {
  const text = spec.trim();
  if (text.startsWith('npm:')) return packageSpec(text.slice('npm:'.length));
  const at = text.indexOf('@', 1); // a leading one belongs to the scope
  const name = at === -1 ? text : text.slice(0, at);
  if (!NAME.test(name)) return undefined;
  return { name, version: (at === -1 ? '' : text.slice(at + 1)) || 'latest' };
}
