import { readFileSync } from 'node:fs';

/** How often the parents are looked at. */
const LOOK_MS = 500;

/** Processes looked through on the way up to npm: npm, a shell, this one. */
const ANCESTORS_MAX = 4;

/**
 * An AbortSignal that fires when this run is to end: Ctrl-C, SIGTERM, a closed terminal, or npm gone. Asking twice for
 * the end changes nothing: it is already on its way.
 * @returns {AbortSignal}
 */
export function stopSignal() {
  const controller = new AbortController();
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => controller.abort());
  }
  const parents = parentsUpToNpm();
  const look = setInterval(() => {
    if (!sameParents(parents)) controller.abort();
  }, LOOK_MS);
  look.unref();
  return controller.signal;
}

/**
 * The processes between this one and the npm that started it, npm included; empty when npm did not start it (a shell
 * that ends is no reason to stop).
 * @returns {number[]}
 */
function parentsUpToNpm() {
  if (process.env['npm_lifecycle_event'] === undefined) return [];
  const parents = [];
  let pid = process.ppid;
  for (let step = 0; step < ANCESTORS_MAX && pid > 1; step += 1) {
    parents.push(pid);
    const status = procStatus(pid);
    if (status === null) return [process.ppid];
    if (/^p?npm/.test(status.name)) return parents;
    pid = status.parent;
  }
  return [process.ppid];
}

/**
 * @param {readonly number[]} parents
 * @returns {boolean} whether each is still the parent of the one before.
 */
function sameParents(parents) {
  let child = process.pid;
  return parents.every((parent) => {
    const actual = child === process.pid ? process.ppid : procStatus(child)?.parent;
    child = parent;
    return actual === parent;
  });
}

/**
 * @param {number} pid
 * @returns {{ name: string, parent: number } | null} null on systems without /proc, or when the process is gone.
 */
function procStatus(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8');
    const name = /^Name:\s*(.*)$/m.exec(text)?.[1] ?? '';
    return { name, parent: Number(/^PPid:\s*(\d+)$/m.exec(text)?.[1] ?? '0') };
  } catch {
    return null;
  }
}
