import type { MetricList } from '../status/metrics.ts';
import type { StatusAnswer } from '../status/status-pages.ts';

/** What a worker asks of the control plane through the first process, by the names of the client's methods. */
export type RelayedMethod = 'configuration' | 'follow' | 'post';

/** Where a node takes traffic. */
export interface ProxyPorts {
  readonly proxyPort: number;
  readonly proxyTlsPort: number;
}

/** From a worker to the first process. */
export type FromWorker =
  | { readonly kind: 'listening'; readonly ports: ProxyPorts }
  | { readonly kind: 'failed'; readonly sentence: string }
  | { readonly kind: 'call'; readonly id: number; readonly method: RelayedMethod; readonly args: readonly unknown[] }
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'pong' }
  | { readonly kind: 'page'; readonly id: number; readonly answer: StatusAnswer }
  | { readonly kind: 'metrics'; readonly id: number; readonly metrics: MetricList };

/** From the first process to a worker. */
export type ToWorker =
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'revision'; readonly id: number; readonly revision: number }
  | { readonly kind: 'page'; readonly id: number; readonly method: string; readonly target: string }
  | { readonly kind: 'metrics'; readonly id: number }
  | { readonly kind: 'ping' }
  | { readonly kind: 'reopen' }
  | { readonly kind: 'stop' };
