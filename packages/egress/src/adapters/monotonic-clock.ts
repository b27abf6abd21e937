/** Milliseconds since an arbitrary start; never goes back. Time limits of sockets are as real as the sockets are. */
export function monotonicMs(): number {
  return performance.now();
}
