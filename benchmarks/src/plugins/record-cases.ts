import { noOutbound, type LogFile, type Outbound } from '@portcullis/plugin-runtime';
import type { CaseParts } from './plugin-case.ts';
import { usual } from './usual-headers.ts';

/** Takes every call, at once. */
const takesAll: Outbound = {
  ...noOutbound,
  request: () => Promise.resolve({ status: 200, header: () => undefined, body: new Uint8Array() }),
  resolve: (_host, port) => Promise.resolve([{ address: '127.0.0.1', family: 4, port }]),
};

const keptNowhere: LogFile = { append: () => Promise.resolve(), close: () => Promise.resolve() };

/**
 * Cases of plugins that tell somebody of requests, by plugin. What is measured is what the request pays: its record, and its place in the queue. Nothing is
 * sent meanwhile, because the event loop never gets to it; `log-rate.process.ts` measures that.
 */
export const recordCases: Readonly<Record<string, () => CaseParts>> = {
  sampling: () => ({ config: { rate: 0.5, seed: 7 }, headers: usual }),
  http_log: () => recording({ http_endpoint: 'https://logs.example.com/in' }),
  audit_event_stream: () => recording({ audit_endpoint: 'https://audit.example.com/in' }),
  apm_vendor: () =>
    recording({ api_key: 'a-key-of-32-characters-for-a-test', site: 'datadoghq.eu', service_name: 'edge' }),
  file_log: () => ({
    ...recording({ path: 'requests.log' }),
    logFilesOf: () => ({ open: () => Promise.resolve(keptNowhere) }),
  }),
  stream_log: () => recording({ bootstrap_servers: ['127.0.0.1:9'], topic: 'requests' }),
  tcp_log: () => recording({ host: '127.0.0.1', port: 9 }),
  udp_log: () => recording({ host: '127.0.0.1', port: 9 }),
  daemon_metrics: () => recording({ host: '127.0.0.1', port: 9, tag_format: 'dogstatsd', include_route_tags: true }),
};

function recording(config: object): CaseParts {
  return {
    config,
    headers: usual,
    isWhole: true,
    answer: ['content-type', 'application/json'],
    outbound: takesAll,
  };
}
