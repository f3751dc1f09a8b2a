/** Members that modules may use and that are not here: of the extension API (pi and oh-my-pi), and libraries it hands out. */
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

/** Harmless to use, and said by name, once. `more`: told when what only extensions have is used. */
export function beyond(warn: (message: string, name: string) => void, more: () => void): object {
  const said = new Set<string>();
  const say = (name: string, what: string) => {
    if (said.has(name)) return;
    said.add(name);
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

/** Anything at all, and nothing: a module that builds schemas for a tool nobody takes must not fail by it. */
const HOLLOW: unknown = new Proxy(() => HOLLOW, {
  get: (_, name) => (typeof name === 'symbol' || name === 'then' ? undefined : HOLLOW),
  apply: () => HOLLOW,
  construct: () => HOLLOW as object,
});
