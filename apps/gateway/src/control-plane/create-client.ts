import type { Logger } from 'pino';
import { system } from '../adapters/system.ts';
import type { Settings } from '../settings.ts';
import { ControlPlaneClient } from './control-plane-client.ts';
import { ReportLog } from './report-log.ts';

/** A client of a process, and what it knows of reports that were not taken. */
export interface LoggedClient {
  readonly client: ControlPlaneClient;
  readonly reports: ReportLog;
}

/** The client of a node, which says in the log when reports are not taken. */
export function controlPlaneClient(settings: Settings, logger: Logger): LoggedClient {
  const reports = new ReportLog(logger, system.monotonicMs);
  const client = new ControlPlaneClient(settings.controlPlaneUrl, settings.token, system.monotonicMs, {
    onPosted: (report, failure) => reports.note(report, failure),
  });
  return { client, reports };
}
