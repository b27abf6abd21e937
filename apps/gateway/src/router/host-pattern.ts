/**
 * The host that routes are matched with: lower case, without port and without the root's trailing dot.
 * @param authority value of the `Host` header or of an absolute target
 * @returns `undefined` when the text is no authority
 */
export function hostOfAuthority(authority: string): string | undefined {
  if (!validAuthority.test(authority)) return undefined;
  const colon =
    authority.charCodeAt(0) === 0x5b ? authority.indexOf(':', authority.indexOf(']')) : authority.indexOf(':');
  const host = (colon === -1 ? authority : authority.slice(0, colon)).toLowerCase();
  return host.endsWith('.') ? host.slice(0, -1) : host;
}

const validAuthority = /^(?:[A-Za-z0-9._~-]{1,255}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?$/;

/** How exactly a host pattern names a host: exact ones first, then longer wildcards. Lower is tried first. */
export function hostRank(pattern: string | undefined): number {
  if (pattern === undefined) return Number.MAX_SAFE_INTEGER;
  return pattern.includes('*') ? 1_000_000 - pattern.length : 0;
}

/**
 * Values found by host. A pattern is a name, or one with `*` as its first or last label, which stands for one or more
 * labels; `undefined` stands for every host.
 */
export class HostTable<Value> {
  readonly #exact = new Map<string, Value>();
  readonly #suffixes = new Map<string, Value>();
  readonly #prefixes = new Map<string, Value>();
  #any: Value | undefined;

  /** The value of a pattern, made on first use. */
  obtain(pattern: string | undefined, create: () => Value): Value {
    if (pattern === undefined) return (this.#any ??= create());
    const [map, key] = pattern.startsWith('*')
      ? [this.#suffixes, pattern.slice(1)]
      : pattern.endsWith('*')
        ? [this.#prefixes, pattern.slice(0, -1)]
        : [this.#exact, pattern];
    const known = map.get(key);
    if (known !== undefined) return known;
    const created = create();
    map.set(key, created);
    return created;
  }

  /** Calls back with the value of each pattern that matches: exact, wildcards, any. */
  visit(host: string, visitor: { visitHost(value: Value): void }): void {
    const exact = this.#exact.get(host);
    if (exact !== undefined) visitor.visitHost(exact);
    if (this.#suffixes.size > 0 || this.#prefixes.size > 0) this.#visitWildcards(host, visitor);
    if (this.#any !== undefined) visitor.visitHost(this.#any);
  }

  /** Whether any pattern matches. */
  has(host: string): boolean {
    const probe = { found: false, visitHost: () => void (probe.found = true) };
    this.visit(host, probe);
    return probe.found;
  }

  #visitWildcards(host: string, visitor: { visitHost(value: Value): void }): void {
    for (let dot = host.indexOf('.'); dot !== -1; dot = host.indexOf('.', dot + 1)) {
      const suffix = dot > 0 ? this.#suffixes.get(host.slice(dot)) : undefined;
      if (suffix !== undefined) visitor.visitHost(suffix);
      const prefix = dot < host.length - 1 ? this.#prefixes.get(host.slice(0, dot + 1)) : undefined;
      if (prefix !== undefined) visitor.visitHost(prefix);
    }
  }
}
