/** What progress is drawn on: standard error, or what stands for it. */
export interface ProgressScreen {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Work that is done sooner shows nothing. */
const silentMs = 1000;
const redrawMs = 500;

/**
 * Says on a terminal that work goes on and for how long. The cursor stays at the line's beginning, so that whatever is printed
 * meanwhile stands there alone.
 * @param doing what is done, in a word or two
 */
export async function withProgress<T>(
  doing: string,
  work: () => Promise<T>,
  screen: ProgressScreen = process.stderr,
): Promise<T> {
  if (screen.isTTY !== true) return work();
  const startedMs = performance.now();
  let isDrawn = false;
  const timer = setInterval(() => {
    const passedMs = performance.now() - startedMs;
    if (passedMs < silentMs) return;
    screen.write(`\r\u001B[K${doing}… ${Math.floor(passedMs / 1000)} s\r`);
    isDrawn = true;
  }, redrawMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    if (isDrawn) screen.write('\r\u001B[K');
  }
}
