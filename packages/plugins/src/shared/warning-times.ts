/** Time between two warnings of one kind. */
const WARNING_INTERVAL_MS = 60_000;

/**
 * Says whether it is time for a warning that may be due with every request: at first it is, and then not for a minute after each
 * time that it was.
 * @param nowMs never goes back
 */
export function warningTimes(nowMs: () => number): () => boolean {
  let nextMs = 0;
  return () => {
    const moment = nowMs();
    if (moment < nextMs) return false;
    nextMs = moment + WARNING_INTERVAL_MS;
    return true;
  };
}
