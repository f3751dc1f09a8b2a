/**
 * Returns the memory of this process. If the system hides the current size (Linux without /proc), returns the
 * maximum so far.
 */
export function residentBytes() {
  try {
    return process.memoryUsage.rss();
  } catch {
    return process.resourceUsage().maxRSS * 1024;
  }
}
