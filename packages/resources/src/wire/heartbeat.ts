import * as v from 'valibot';

/** Bounds of what a node says of itself. */
export const heartbeatLimits = {
  /** Addresses of targets; those that are not well come first. */
  targetsMax: 10_000,
  /** Characters of why an address is as it is. */
  reasonLengthMax: 256,
  /** Addresses for which a node says why, so that a list in which all are down still fits. */
  reasonsMax: 2000,
  /** Plugin instances whose circuit is not closed. */
  circuitsMax: 100,
  /** Plugins that a node names. Each node's are stored and listed: more would let one token fill the list of nodes. */
  pluginVersionsMax: 256,
  /** Bytes of a heartbeat: every target with the longest name would be more, and is not met. */
  bytesMax: 4 * 1024 * 1024,
} as const;

/** States of a target at a node. Source: wire contract, Upstreams, targets, health. */
export const targetHealths = ['HEALTHY', 'UNHEALTHY', 'DNS_ERROR', 'HEALTHCHECKS_OFF'] as const;

/** See {@link targetHealths}. */
export type TargetHealthState = (typeof targetHealths)[number];

/** Milliseconds since 1970. */
const moment = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(8_640_000_000_000_000));
const id = v.pipe(v.string(), v.minLength(1), v.maxLength(128));

/** The state of one address of a target at a node. A name that stands for several addresses has as many. */
export const reportedTarget = v.strictObject({
  target_id: id,
  /** `host:port`; the name of a target whose name cannot be resolved. */
  address: v.pipe(v.string(), v.maxLength(300)),
  health: v.picklist(targetHealths),
  since_ms: moment,
  /** Why it is not well, for people: what the last check or request met. */
  reason: v.optional(v.pipe(v.string(), v.maxLength(heartbeatLimits.reasonLengthMax))),
});

/** See {@link reportedTarget}. */
export type ReportedTarget = v.InferOutput<typeof reportedTarget>;

/** A plugin instance whose circuit is not closed. */
export const reportedCircuit = v.strictObject({
  /** ID of the plugin instance; of one that stands in a route, the ID that the gateway gave it. */
  instance_id: v.pipe(v.string(), v.maxLength(300)),
  /** Name of the plugin. */
  plugin: v.pipe(v.string(), v.maxLength(128)),
  phase: v.picklist(['open', 'half_open']),
});

/** See {@link reportedCircuit}. */
export type ReportedCircuit = v.InferOutput<typeof reportedCircuit>;

/** What a node says of itself every few seconds. */
export const heartbeat = v.strictObject({
  version: v.pipe(v.string(), v.maxLength(64)),
  hostname: v.pipe(v.string(), v.maxLength(253)),
  plugin_versions: v.pipe(
    v.record(v.pipe(v.string(), v.maxLength(64)), v.pipe(v.string(), v.maxLength(64))),
    v.maxEntries(heartbeatLimits.pluginVersionsMax),
  ),
  /** The revision and hash that the node serves; absent before the first configuration. */
  revision: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  hash: v.optional(v.pipe(v.string(), v.maxLength(64))),
  uptime_seconds: v.pipe(v.number(), v.minValue(0), v.maxValue(1e10)),
  /** The targets that the node serves, all of them; absent when nothing changed since the list that was sent last. */
  targets: v.optional(v.pipe(v.array(reportedTarget), v.maxLength(heartbeatLimits.targetsMax))),
  /** Open circuits, all of them up to the bound; absent from nodes that do not tell. */
  circuits: v.optional(v.pipe(v.array(reportedCircuit), v.maxLength(heartbeatLimits.circuitsMax))),
});

/** See {@link heartbeat}. */
export type Heartbeat = v.InferOutput<typeof heartbeat>;
