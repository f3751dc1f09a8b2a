/**
 * pi's terminal library, whole: hook modules written for pi draw with it too (`@anyhook/agent/pi-tui`). The build puts its
 * code here, so that who installs the agent installs none of its optional parts, one of which runs a script.
 */
export * from '@mariozechner/pi-tui';
