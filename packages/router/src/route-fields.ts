import type { PathRule, RouteRule } from './route-rule.ts';

/** The matching fields of a route's record, in their form on the wire, with defaults filled in. */
export interface RouteFields {
  readonly id: string;
  readonly name: string;
  readonly created_at_ms: number;
  readonly priority: number;
  readonly regex_priority: number;
  readonly hosts: readonly string[];
  /** The single form of `paths`; it counts where both are given. */
  readonly path?: string | null | undefined;
  readonly paths: readonly string[];
  readonly path_type: PathRule['type'];
  readonly methods: readonly string[];
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly query: Readonly<Record<string, readonly string[]>>;
  readonly snis: readonly string[];
}

/** A path that was read, or what is wrong with it. */
export type PathReading = ({ readonly ok: true } & PathRule) | { readonly ok: false; readonly message: string };

/**
 * The rule of a route's record.
 * @param readPath reads one configured path: normalises it, and checks what the engine has to take
 * @param refuse told of each path that cannot be matched, with its JSON pointer in the record; the rule goes without it
 */
export function routeRuleOf(
  fields: RouteFields,
  readPath: (path: string, type: PathRule['type']) => PathReading,
  refuse: (pointer: string, message: string) => void,
): RouteRule {
  const isSingle = typeof fields.path === 'string';
  const listed = typeof fields.path === 'string' ? [fields.path] : fields.paths;
  const paths = listed.flatMap((path, index): PathRule[] => {
    const reading = readPath(path, fields.path_type);
    if (reading.ok) return [{ type: reading.type, value: reading.value }];
    refuse(isSingle ? '/path' : `/paths/${index}`, reading.message);
    return [];
  });
  return {
    id: fields.id,
    name: fields.name,
    createdAtMs: fields.created_at_ms,
    priority: fields.priority,
    regexPriority: fields.regex_priority,
    hosts: fields.hosts,
    paths,
    methods: fields.methods,
    headers: Object.entries(fields.headers).map(([name, values]) => ({ name: name.toLowerCase(), values })),
    query: Object.entries(fields.query).map(([name, values]) => ({ name, values })),
    snis: fields.snis,
  };
}
