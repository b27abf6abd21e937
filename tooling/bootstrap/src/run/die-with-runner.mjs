/**
 * Loaded into the children of `npm start` with `--import`: ends the child when its runner is gone, also when the runner
 * was killed and could say nothing. The channel to the runner closes then. It costs the app nothing while it runs.
 */
import { isMainThread } from 'node:worker_threads';

/** How long an app may take to stop before it is ended. */
const GRACE_MS = 10_000;

const startedByRunner = process.env['PORTCULLIS_RUNNER_PID'] === String(process.ppid);
if (isMainThread && startedByRunner && process.channel) {
  process.once('disconnect', () => {
    process.kill(process.pid, 'SIGTERM');
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), GRACE_MS).unref();
  });
  process.channel.unref();
}
