import { exitCodes } from './failure.ts';

let writes = 0;

/** Does a write, and remembers meanwhile that its outcome is unknown. */
export async function duringWrite<T>(write: () => Promise<T>): Promise<T> {
  writes += 1;
  try {
    return await write();
  } finally {
    writes -= 1;
  }
}

/** Ctrl-C ends the command at once, and says so where a write may have been carried out already. */
export function endOnInterrupt(): void {
  process.once('SIGINT', () => {
    const doubt = writes > 0 ? '; the write may have been carried out: run gwctl diff or gwctl get' : '';
    process.stderr.write(`gwctl: interrupted${doubt}\n`);
    process.exit(exitCodes.interrupted);
  });
}
