/** The little that is known about agents without a folder here. */
/** Programs that the doctor reports and that have no bridge yet. */
export const OTHER_PROGRAMS: readonly string[] = [];

/** Variables that they set for child processes, with the name shown to users. */
export const OTHER_MARKS: Readonly<Record<string, string>> = {};

/** Hosts that call `anyhook fire --host` themselves, and the hooks that they run themselves. */
export const OTHER_HOSTS: Readonly<Record<string, readonly string[]>> = { opta: ['opta'] };
