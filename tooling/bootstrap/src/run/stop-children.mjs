/** How long the children have to stop by themselves, all together. */
const GRACE_MS = 10_000;

/** How long the last-started child may take before the others are told to stop too. */
const HEAD_START_MS = 5000;

/**
 * Stops children, the last started first: the gateway still hands its observations to the control plane. What has not
 * ended after ten seconds is killed.
 * @param {readonly import('./child.mjs').Child[]} children in the order they were started.
 */
export async function stopChildren(children) {
  const deadline = timer(GRACE_MS);
  const last = children.at(-1);
  if (last !== undefined) {
    last.signal('SIGTERM');
    const headStart = timer(HEAD_START_MS);
    await Promise.race([last.ended, headStart.passed]);
    headStart.cancel();
  }
  for (const child of children) child.signal('SIGTERM');
  const allEnded = Promise.all(children.map((child) => child.ended));
  await Promise.race([allEnded, deadline.passed]);
  deadline.cancel();
  for (const child of children) child.signal('SIGKILL');
  await allEnded;
}

/**
 * @param {number} milliseconds
 * @returns {{ passed: Promise<void>, cancel: () => void }}
 */
function timer(milliseconds) {
  /** @type {NodeJS.Timeout | undefined} */
  let handle;
  const passed = new Promise((/** @type {(value: void) => void} */ resolve) => {
    handle = setTimeout(resolve, milliseconds);
  });
  return { passed, cancel: () => clearTimeout(handle) };
}
