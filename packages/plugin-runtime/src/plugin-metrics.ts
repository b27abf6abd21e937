/*
 * Figures that a plugin tells an operator: what its sink took, what it dropped. A runtime shows none itself; a host with metrics passes a
 * `PluginMetrics` for each instance and decides under which names and labels they are shown.
 */

/** A number that only grows. */
export interface PluginCounter {
  /** @param count at least 0 */
  add(count: number): void;
}

/** See the head of this file. */
export interface PluginMetrics {
  /**
   * A counter of this instance; the same name gives the same counter. Make it in `setup`, never per request.
   * @param name snake_case, without prefix and `_total`: a gateway shows `records_dropped` as `gateway_plugin_records_dropped_total`
   * @param help one sentence without a full stop
   */
  counter(name: string, help: string): PluginCounter;
}

/** The metrics of hosts that show none. */
export const noMetrics: PluginMetrics = { counter: () => ({ add: () => undefined }) };
