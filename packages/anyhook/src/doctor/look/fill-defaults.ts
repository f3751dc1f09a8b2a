/** Expands `${NAME:-text}` and `${NAME-text}` as a shell does: the variable if set, otherwise the text. */
export const fillDefaults = (text: string, env: Readonly<Record<string, string | undefined>>): string =>
  text.replaceAll(/\$\{(\w+)(:?)-([^{}]*)\}/g, (_, name: string, colon: string, otherwise: string) => {
    const value = env[name];
    return value === undefined || (colon !== '' && value === '') ? otherwise : value;
  });
