import type { SharedMap } from '../configuration/shared-map.ts';
import type { IdentityContexts } from './identity-contexts.ts';
import type { PlannedName } from './identity-plan.ts';
import type { ServerIdentities, ServerIdentity } from './server-identities.ts';

/** What server names there are. */
export interface NameFacts {
  /** Whether any begins with `*.`. */
  readonly hasWildcards: boolean;
  /** Whether any asks clients for certificates. */
  readonly asksForCertificates: boolean;
}

/** The server names of one generation. A look-up takes one step, and one for each label where there are wildcards, however many names there are. */
export class ServerNames implements ServerIdentities {
  readonly asksForCertificates: boolean;
  readonly #names: SharedMap<PlannedName>;
  readonly #contexts: IdentityContexts;
  readonly #hasWildcards: boolean;

  constructor(names: SharedMap<PlannedName>, facts: NameFacts, contexts: IdentityContexts) {
    this.#names = names;
    this.#contexts = contexts;
    this.#hasWildcards = facts.hasWildcards;
    this.asksForCertificates = facts.asksForCertificates;
  }

  find(serverName: string | undefined): ServerIdentity | undefined {
    const plan = this.#nameFor(serverName)?.plan;
    return plan && this.#contexts.get(plan);
  }

  asksOf(serverName: string): string | undefined {
    const name = this.#nameFor(serverName);
    return name === undefined ? '' : name.plan?.asks;
  }

  /** The record that decides. One that cannot be served decides too: a wider name might ask its clients for less. */
  #nameFor(serverName: string | undefined): PlannedName | undefined {
    if (serverName === undefined) return this.#names.get('*');
    const exact = this.#names.get(serverName);
    if (exact !== undefined) return exact;
    return (this.#hasWildcards ? this.#wildcardFor(serverName) : undefined) ?? this.#names.get('*');
  }

  /** As in routes, a wildcard stands for one label or more; the longest wins. */
  #wildcardFor(serverName: string): PlannedName | undefined {
    for (let dot = serverName.indexOf('.'); dot !== -1; dot = serverName.indexOf('.', dot + 1)) {
      const found = this.#names.get(`*${serverName.slice(dot)}`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}
