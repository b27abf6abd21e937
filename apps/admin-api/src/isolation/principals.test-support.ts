import type { Level } from './access-rules.test-support.ts';

/** Which tenant somebody belongs to: the one whose records are asked for, another, or none. */
export type Belonging = 'own' | 'parent' | 'child' | 'other' | 'none';

/** Somebody who calls, and what the requirement says about them. */
export interface TestPrincipal {
  readonly name: string;
  readonly token: string | undefined;
  /** Whether the credential is good at all. */
  readonly isValid: boolean;
  readonly belongsTo: Belonging;
  /** Levels of operations that are open to them. */
  readonly mayUse: ReadonlySet<Level>;
  /** What the path and query of their requests name beside the record: the tenant, for super administrators. */
  readonly namesTenant: boolean;
}

/** What roles and scopes open. Source: spec, Authentication, 2 to 4; wire contract, Paths and small rules. */
export const openTo = {
  reader: ['read', 'session'],
  writer: ['read', 'write', 'session'],
  admin: ['read', 'write', 'administer', 'session'],
  superAdmin: ['read', 'write', 'administer', 'super_admin', 'session'],
  readToken: ['read'],
  writeToken: ['write', 'administer'],
  bothToken: ['read', 'write', 'administer'],
  node: ['data_plane'],
  nobody: [],
} as const satisfies Record<string, readonly Level[]>;

/** Describes somebody. */
export function principal(
  name: string,
  token: string | undefined,
  given: { readonly as: keyof typeof openTo; readonly of?: Belonging; readonly namesTenant?: boolean },
): TestPrincipal {
  return {
    name,
    token,
    isValid: given.as !== 'nobody',
    belongsTo: given.of ?? 'own',
    mayUse: new Set<Level>(openTo[given.as]),
    namesTenant: given.namesTenant === true,
  };
}

/** Levels at which a credential of the wrong kind counts as none. Source: spec, Authentication, 3. */
function isWrongKind({ mayUse, name }: TestPrincipal, level: Level): boolean {
  const isNode = mayUse.has('data_plane');
  if (isNode !== (level === 'data_plane')) return true;
  return level === 'session' && name.includes('token');
}

/**
 * What somebody gets who asks for an operation at all: nothing against it, or a refusal. A token needs `admin:write` for every
 * POST, also for one that a reader may send. Source: spec, Authentication, 2.
 */
export function refusalOf(who: TestPrincipal, level: Level, method: string): 401 | 403 | undefined {
  if (level === 'public') return undefined;
  if (!who.isValid || isWrongKind(who, level)) return 401;
  const lacksWrite = who.name.includes('token') && method !== 'GET' && level === 'read' && !who.mayUse.has('write');
  return who.mayUse.has(level) && !lacksWrite ? undefined : 403;
}
