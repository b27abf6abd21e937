import * as v from 'valibot';
import type { Family } from '../family.ts';
import * as field from '../fields.ts';
import { targetHealths } from '../wire/heartbeat.ts';

const nameOfHost = /^[A-Za-z0-9_](?:[A-Za-z0-9._-]{0,251}[A-Za-z0-9_])?$/;
const versionSix = /^(?:\[[0-9A-Fa-f:.]+\]|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*)$/;

/** Whether a text is a host name or an address; an IPv6 address may stand in brackets. */
function isTargetHost(text: string): boolean {
  if (!versionSix.test(text)) return nameOfHost.test(text);
  return URL.canParse(`http://[${text.replace(/^\[|\]$/g, '')}]`);
}

const hostName = v.pipe(v.string(), v.check(isTargetHost, 'must be a host name or address'));

/** Host and port out of `host:port`, `[v6]:port`; `undefined` when the text has no such form. */
export function parseTargetName(text: string): { host: string; port: number } | undefined {
  const match = /^(\[[^\]]*\]|[^:\s]+):(\d{1,5})$/.exec(text);
  const port = Number(match?.[2]);
  if (!match?.[1] || !isTargetHost(match[1]) || port < 1 || port > 65_535) return undefined;
  return { host: match[1].replace(/^\[|\]$/g, ''), port };
}

/** Targets. Source: spec, Routing and identity resources; decisions, 6; wire contract, Upstreams. */
export const targets: Family = {
  name: 'targets',
  singular: 'target',
  summary: 'Targets: the addresses of an upstream',
  scope: 'gateway',
  access: { read: 'read', write: 'write' },
  fields: {
    name: v.optional(v.pipe(field.name, v.description('host:port unless host and port are given; alias: target'))),
    upstream_id: immutableReference(),
    host: v.optional(v.pipe(hostName, v.description('Host name or address'))),
    port: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535), v.description('TCP port'))),
    weight: field.integer(0, 65_535, 100, 'Share of the traffic; 0 drains'),
    priority: field.integer(
      -1000,
      1000,
      0,
      'Failover tier: targets of a lower one get requests only while no target of a higher one can be used',
    ),
    description: field.description,
    labels: field.labels,
    enabled: field.enabled,
  },
  fieldAliases: { target: 'name' },
  readOnlyFields: {
    health: v.optional(
      v.nullable(
        v.pipe(
          v.picklist(targetHealths),
          v.description(
            'The worst that a data plane says of the target, which is well there while one of its addresses is; null when none says anything',
          ),
        ),
      ),
    ),
    data_plane_health: v.optional(
      v.pipe(
        v.array(
          v.object({
            data_plane_id: v.string(),
            data_plane_name: v.string(),
            address: v.pipe(v.string(), v.description('Address and port; the name where it cannot be resolved')),
            health: v.picklist(targetHealths),
            since: v.string(),
            reason: v.optional(v.string()),
          }),
        ),
        v.description('What each data plane that was heard of lately says of each address, the worst first'),
      ),
    ),
  },
  rules: [
    (record) => {
      if (record['host'] !== undefined && record['port'] !== undefined) return [];
      return typeof record['name'] === 'string' && parseTargetName(record['name'])
        ? []
        : [{ pointer: '/name', code: 'required', message: 'must read host:port where host and port are not given' }];
    },
  ],
  references: [
    {
      field: 'upstream_id',
      family: 'upstreams',
      nameField: 'upstream_name',
      nameScope: 'gateway',
      whenTargetIsDeleted: 'cascade',
    },
  ],
  keys: [{ name: 'address', fields: ['host', 'port'], scope: { field: 'upstream_id' } }],
  nestedPaths: [
    { path: '/gateways/{gateway_id}/upstreams/{upstream_id}/targets', field: 'upstream_id', parameter: 'upstream_id' },
    { path: '/gateways/{gateway_id}/targets/upstream/{upstream_id}', field: 'upstream_id', parameter: 'upstream_id' },
  ],
  methods: ['POST', 'PUT', 'PATCH', 'DELETE'],
  bundle: { key: 'targets', level: 5 },
  deliveredToGateways: true,
};

function immutableReference(): v.GenericSchema<string> {
  return v.pipe(
    field.reference,
    v.metadata({ 'x-immutable': true }),
    v.description('The pool that the target belongs to'),
  );
}
