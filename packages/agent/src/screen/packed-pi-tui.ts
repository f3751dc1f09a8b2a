/**
 * The terminal library of pi. Hook modules for pi use it too (`@anyhook/agent/pi-tui`). The build bundles it, so that
 * installing the agent installs none of its optional dependencies, one of which runs a script.
 */
export * from '@mariozechner/pi-tui';
