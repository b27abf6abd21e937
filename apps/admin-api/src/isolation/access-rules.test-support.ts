import type { DescribedOperation } from './described-operations.test-support.ts';

/** Who may call an operation. */
export type Level = 'public' | 'read' | 'write' | 'administer' | 'super_admin' | 'session' | 'data_plane';

/** Whose records an operation is about. */
export type Reach =
  /** Nobody's. */
  | 'none'
  /** One tenant's; whoever belongs to none has to name it. */
  | 'tenant'
  /** One tenant's, or those outside all tenants for whoever belongs to none and names none. */
  | 'optional'
  /** One tenant's, or everyone's for whoever belongs to none and names none. */
  | 'global'
  /** The tenants themselves. */
  | 'system'
  /** The calling data plane's own gateway. */
  | 'node';

/** What the requirement says about the operations of some paths. */
export interface AccessRule {
  /** Matches the path without `/api/v1` and `/admin`, with `{}` for each parameter. */
  readonly paths: RegExp;
  readonly read: Level;
  /** POST, PUT and PATCH. */
  readonly write: Level;
  /** DELETE, when it differs. */
  readonly remove?: Level;
  readonly reach: Reach;
  /** A list that names a foreign tenant is answered with the caller's own records. */
  readonly foreignLists?: 'own';
  readonly source: string;
}

const family = (paths: RegExp, more: Partial<AccessRule> = {}): AccessRule => ({
  paths,
  read: 'read',
  write: 'write',
  reach: 'tenant',
  source: 'spec, Authentication, 4 to 7',
  ...more,
});

/** The first rule that matches counts. An operation that none matches fails the tests: decide who may call it. */
const accessRules: readonly AccessRule[] = [
  family(/^\/(?:health|ready|metrics|docs|docs\/\{\}|openapi\.json|api\/versions|\.well-known\/jwks\.json)$/, {
    read: 'public',
    reach: 'none',
    source: 'spec, Operational endpoints',
  }),
  family(/^\/auth\/(?:login|refresh|logout)$/, {
    write: 'public',
    reach: 'none',
    source: 'wire contract, Users, tokens, tenants',
  }),
  family(/^\/data-plane\/(?:config|stream|ack|heartbeat|observations)$/, {
    read: 'data_plane',
    write: 'data_plane',
    reach: 'node',
    source: 'wire contract, Data planes',
  }),
  family(/^\/tenants\/current$/, { source: 'spec, Tenants, workspaces, RBAC; Errors' }),
  family(/^\/tenants\/\{\}\/(?:deactivate|activate|impersonate)$/, {
    write: 'super_admin',
    reach: 'system',
    source: 'spec, Tenant states',
  }),
  family(/^\/tenants(?:\/\{\}(?:\/references)?)?$/, {
    write: 'administer',
    remove: 'super_admin',
    reach: 'system',
    source: 'spec, Tenancy objects; Tenant states; wire contract, small rules: a writer may not manage tenants',
  }),
  family(/^\/signing-keys\/rotate$/, {
    write: 'super_admin',
    reach: 'system',
    source: 'security rules, kid, rotation: the keys are everybody’s',
  }),
  family(/^\/(?:users|api-tokens)(?:\/\{\}(?:\/references)?)?$/, {
    write: 'administer',
    reach: 'optional',
    source: 'wire contract, small rules: a writer may not manage users and tokens; reading them is no managing',
  }),
  family(/^\/data-planes(?:\/\{\}(?:\/references)?)?$/, {
    source:
      'spec, Authentication, 4; wire contract, small rules, which takes users, tokens of the API and tenants from writers only',
  }),
  family(/^\/rbac\/teams(?:\/\{\}(?:\/references)?)?$/, {
    write: 'administer',
    foreignLists: 'own',
    source: 'spec, Tenants, workspaces, RBAC: a team gives roles',
  }),
  family(/^\/(?:workspaces|rbac\/organizations)(?:\/\{\}(?:\/references)?)?$/, {
    foreignLists: 'own',
    source: 'spec, Tenants, workspaces, RBAC',
  }),
  family(
    /^\/(?:gateways|consumers|consumer-credentials|consumer-groups|vaults|cache-store-configs|realms|plugins|plugin-packages|ai-gateway\/records)(?:\/\{\}(?:\/references)?)?$/,
  ),
  family(
    /^\/gateways\/\{\}\/(?:services|routes|upstreams|targets|certificates|ca-certificates|snis)(?:\/\{\}(?:\/references)?)?$/,
  ),
  family(/^\/gateways\/\{\}\/routes\/match$/, {
    write: 'read',
    source: 'wire contract, Matching: it explains and changes nothing, as validate and diff do',
  }),
  family(/^\/ai-gateway\/explain$/, {
    write: 'read',
    source: 'wire contract, AI records: it explains, asks no provider and changes nothing',
  }),
  family(/^\/gateways\/\{\}\/(?:overview|traffic\/recent)$/, { source: 'spec, Administration endpoint families' }),
  family(/^\/gateways\/\{\}\/upstreams\/\{\}\/health$/, { source: 'wire contract, Upstreams, targets, health' }),
  family(/^\/gateways\/\{\}\/services\/\{\}\/routes$/, { source: 'spec, Nested compatibility aliases' }),
  family(/^\/gateways\/\{\}\/services\/\{\}\/versions(?:\/\{\}(?:\/references)?)?$/, {
    source: 'wire contract, AI records, integrations, SDKs',
  }),
  family(/^\/gateways\/\{\}\/services\/\{\}\/versions\/\{\}\/sdk$/, {
    write: 'read',
    source: 'ADR 0069: an export changes nothing',
  }),
  family(/^\/gateways\/\{\}\/upstreams\/\{\}\/targets$/, { source: 'spec, Nested compatibility aliases' }),
  family(/^\/gateways\/\{\}\/targets\/upstream\/\{\}$/, { source: 'spec, Administration endpoint families' }),
  family(/^\/gateways\/\{\}\/certificates\/\{\}\/snis$/, { source: 'spec, Nested compatibility aliases' }),
  family(/^\/consumers\/\{\}\/credentials$/, { source: 'spec, Nested compatibility aliases' }),
  family(/^\/config\/(?:validate|diff)$/, {
    write: 'read',
    source:
      'spec, Authentication, 4: they write nothing, so a reader may; 2: a token needs both scopes for a POST that reads',
  }),
  family(/^\/config\/(?:export|sync|import)$/),
  family(/^\/config\/snapshots(?:\/\{\}(?:\/export|\/rollback)?)?$/),
  family(/^\/audits\/?$/, { read: 'session', reach: 'global', foreignLists: 'own', source: 'spec, Audit list' }),
  family(/^\/audits\/(?:verify|checkpoint|export|proof\/inclusion|proof\/consistency)$/, {
    read: 'session',
    write: 'session',
    reach: 'global',
    source: 'wire contract, Audits; as the audit list, but a foreign tenant is refused, not overheard',
  }),
  family(/^\/audits\/\{\}\/redact$/, {
    write: 'super_admin',
    reach: 'system',
    source: 'reliability, Audit chain, Per-field commitments: a super administrator erases',
  }),
  family(/^\/audits\/retention$/, {
    read: 'session',
    write: 'super_admin',
    reach: 'optional',
    source: 'reliability, Audit chain, Retention: whoever is recorded does not decide how long',
  }),
  family(/^\/slos(?:\/\{\}(?:\/references|\/evaluate|\/acknowledge|\/timeline)?)?$/, {
    source: 'spec, SLO endpoints; Authentication, 4 and 5: an evaluation stores what it finds, so it is a write',
  }),
  family(/^\/integrations\/drivers$/, {
    reach: 'none',
    source: 'wire contract, integrations: what the release can do',
  }),
  family(/^\/integrations(?:\/\{\}(?:\/references|\/sync|\/syncs)?)?$/, {
    source: 'wire contract, integrations; spec, Authentication, 4: a sync stores what it finds, so it is a write',
  }),
  family(/^\/slos\/(?:evaluate|prometheus-rules|grafana-dashboard)$/),
  family(/^\/observability\/(?:summary|requests(?:\/\{\})?|live|anomalies|retention)$/),
];

/** The rule for an operation. @throws RangeError when there is none */
export function accessRuleOf(operation: Pick<DescribedOperation, 'path' | 'title'>): AccessRule {
  const plain = barePath(operation.path);
  const rule = accessRules.find((candidate) => candidate.paths.test(plain));
  if (!rule) throw new RangeError(`${operation.title}: nothing says who may call it; add it to accessRules`);
  return rule;
}

/** Who may call an operation. */
export function levelOf(operation: Pick<DescribedOperation, 'path' | 'title' | 'method'>): Level {
  const rule = accessRuleOf(operation);
  if (operation.method === 'GET') return rule.read;
  return operation.method === 'DELETE' ? (rule.remove ?? rule.write) : rule.write;
}

/** A path without its prefixes, and `{}` for each parameter. */
function barePath(path: string): string {
  const bare = path.replace(/^\/api\/v1(?=\/)/, '').replace(/^\/admin(?=\/)/, '');
  return bare.replaceAll(/\{[^}]+\}/g, '{}');
}
