import type { Mode } from '../peers/terms.ts';

/** What every gateway of npm is told. */
export interface NpmGatewayTask {
  readonly mode: Mode;
  /** `http://127.0.0.1:PORT` */
  readonly upstream: string;
}

/** Starts a gateway in this process. @returns the port that it listens on */
export type StartNpmGateway = (task: NpmGatewayTask) => Promise<number>;

/** So many connections to the upstream are kept open: as many as a run may have. */
export const upstreamConnections = 1024;
