/** What a hook of a plugin has, unless the host says otherwise. OpenCode itself gives it forever. */
export const HOOK_MS = 30_000;
