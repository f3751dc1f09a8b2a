/** Handles API members and libraries of pi and oh-my-pi that are not available here. */
const METHODS: Readonly<Record<string, () => unknown>> = {
  registerEntryRenderer: nothing,
  registerMarkdownTransformer: nothing,
  registerAssistantThinkingRenderer: nothing,
  registerComposerShape: nothing,
  registerFileWriteFallback: nothing,
  registerFileDeleteFallback: nothing,
  getActiveTools: () => [],
  setActiveTools: nothing,
  getAllTools: () => [],
  getCommands: () => [],
  setModel: async () => false,
  getThinkingLevel: () => 'off',
  setThinkingLevel: nothing,
  getServiceTiers: () => [],
  setServiceTier: nothing,
  getSessionName: nothing,
  setSessionName: nothing,
  setLabel: nothing,
};
/** `pi.pi`: the agent's own package. */
const OBJECTS = ['arktype', 'pi'] as const;

function nothing(): undefined {
  return undefined;
}

/** Using them does nothing and is reported once by name. `more` is called for members that only extensions use. */
export function beyond(warn: (message: string, name: string) => void, more: () => void): object {
  const reported = new Set<string>();
  const say = (name: string, what: string) => {
    if (reported.has(name)) return;
    reported.add(name);
    warn(`uses pi.${name}, ${what}`, name);
  };
  const home = Object.fromEntries(
    Object.entries(METHODS).map(([name, answer]) => [
      name,
      () => {
        more();
        say(name, 'which is not available here; the call does nothing');
        return answer();
      },
    ]),
  );
  for (const name of OBJECTS)
    Object.defineProperty(home, name, {
      get() {
        say(name, 'which is not available here; it only returns empty values');
        return HOLLOW;
      },
    });
  return home;
}

/** Accepts any use and returns nothing, so that a module can build schemas for a tool that is never offered. */
const HOLLOW: unknown = new Proxy(() => HOLLOW, {
  get: (_, name) => (typeof name === 'symbol' || name === 'then' ? undefined : HOLLOW),
  apply: () => HOLLOW,
  construct: () => HOLLOW as object,
});
