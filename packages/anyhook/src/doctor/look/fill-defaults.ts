/** `${NAME:-text}` and `${NAME-text}` as a shell puts them in: the variable where it is set, otherwise the text. */
export const fillDefaults = (text: string, env: Readonly<Record<string, string | undefined>>): string =>
  text.replaceAll(/\$\{(\w+)(:?)-([^{}]*)\}/g, (_, name: string, colon: string, otherwise: string) => {
    const value = env[name];
    return value === undefined || (colon !== '' && value === '') ? otherwise : value;
  });
