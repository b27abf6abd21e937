import type { LiveConfiguration } from '../configuration/live-configuration.ts';
import type { HealthReports } from '../health/health-reports.ts';
import type { PostOutcome } from './control-plane-client.ts';
import { HeartbeatLoop, sendHeartbeat } from './heartbeat.ts';
import { openCircuits } from './open-circuits.ts';

/** What heartbeats tell of. */
export interface HeartbeatParts {
  /** What stays the same for as long as the process runs. */
  readonly self: object;
  readonly live: LiveConfiguration;
  readonly health: HealthReports;
  readonly post: (heartbeat: object) => Promise<PostOutcome>;
}

/** The heartbeats of a gateway: what it is, what it serves, and those of its targets and circuits that the control plane does not know. */
export function createHeartbeats({ self, live, health, post }: HeartbeatParts): HeartbeatLoop {
  return new HeartbeatLoop(async () => {
    const list = health.next();
    const told = {
      ...(list && { targets: list.targets }),
      circuits: openCircuits(live.current?.runtime.status() ?? []),
    };
    const outcome = await sendHeartbeat(post, { ...self, ...stateOf(live) }, told);
    // One that is refused would be refused again: it goes with the next change.
    if (outcome !== 'unavailable') list?.onTaken();
  });
}

function stateOf({ current }: LiveConfiguration): Record<string, unknown> {
  const served = current === undefined ? {} : { revision: current.revision, hash: current.hash };
  return { ...served, uptime_seconds: process.uptime() };
}
