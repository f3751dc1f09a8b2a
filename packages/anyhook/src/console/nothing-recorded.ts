/** Follows "Nothing was recorded yet: ". */
export const NOTHING_RECORDED =
  'events are recorded when an agent with the anyhook bridge runs hooks. To add the bridge: anyhook install';
