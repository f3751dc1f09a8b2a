/** Memory of this process. Where the system hides the present size (Linux without /proc), the largest size so far. */
export function residentBytes() {
  try {
    return process.memoryUsage.rss();
  } catch {
    return process.resourceUsage().maxRSS * 1024;
  }
}
