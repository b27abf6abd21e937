import { hash } from 'node:crypto';
import type { Plugin } from '@portcullis/plugin-runtime';
import { writeConfiguration, type DeliveredRecord } from '@portcullis/resources';
import { pino } from 'pino';
import { system } from '../adapters/system.ts';
import { createBalancing } from '../balancing/create-balancing.ts';
import { HealthMonitor } from '../health/health-monitor.ts';
import type { Judgement } from '../control-plane/follower.ts';
import { createProber } from '../health/probes/run-probe.ts';
import { PluginMetrics } from '../observations/plugin-metrics.ts';
import { RouteMetrics } from '../observations/route-metrics.ts';
import { pluginHost } from '../plugin-host.ts';
import { AddressGuard } from '../transport/address-guard.ts';
import { ConfigurationCache } from './configuration-cache.ts';
import { ConfigurationManager } from './configuration-manager.ts';
import { LiveConfiguration } from './live-configuration.ts';
import { Seal } from './seal.ts';

/** These tests are about memory. */
class NoCache extends ConfigurationCache {
  override async save(): Promise<void> {
    // Nothing is kept.
  }
}

/** A manager without a gateway around it. What it answers to `take` is in `acks` then. */
export function manager({ pause, plugins }: { pause?: () => Promise<void>; plugins?: readonly Plugin[] } = {}) {
  const guard = new AddressGuard({ host: '192.0.2.1', port: 1 });
  const logger = pino({ level: 'silent' });
  const health = new HealthMonitor({
    ...system,
    prober: createProber({ guard }),
    log: logger,
    onChange: () => undefined,
  });
  const live = new LiveConfiguration();
  const balancing = createBalancing({ guard, health, random: () => 0.5, dnsServers: [], log: logger });
  const acks: { status: string; errors: readonly unknown[] }[] = [];
  const own = new ConfigurationManager({
    live,
    cache: new NoCache('', new Seal('')),
    build: {
      balancing,
      metrics: new RouteMetrics(),
      plugins: pluginHost(logger, system, new PluginMetrics().events, plugins),
    },
    monotonicMs: system.monotonicMs,
    acknowledge: async (ack) => void acks.push(ack),
    log: logger,
    ...(pause && { pause }),
  });
  /** Takes a text in, and waits for the answer. */
  const take = async (text: string): Promise<Judgement> => {
    const judgement = await own.take([text]);
    await own.settled();
    return judgement;
  };
  return { live, own, take, acks, balancing, health, stop: () => health.stop() };
}

/** Records of a configuration by ID. */
export type Tables = Record<'services' | 'routes' | 'upstreams' | 'targets' | 'plugins', Map<string, DeliveredRecord>>;

/** The text and hash of a whole configuration. */
export function textOf(revision: number, tables: Tables): { readonly text: string; readonly hash: string } {
  const resources = Object.fromEntries(Object.entries(tables).map(([name, records]) => [name, [...records.values()]]));
  const gateway = { id: 'g', name: 'g' };
  return writeConfiguration({ tenantId: 't', revision }, { gateway, ...resources }, (text) => hash('sha256', text));
}
