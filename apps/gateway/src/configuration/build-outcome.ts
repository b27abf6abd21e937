import type { Balancing } from '../balancing/balancing.ts';
import type { OnUnusable } from '../certificates/identity-contexts.ts';
import type { RouteMetrics } from '../observations/route-metrics.ts';
import type { ConfigurationSecrets } from '../secret-references/configuration-secrets.ts';
import type { ConfigurationError } from './configuration-errors.ts';
import type { Generation } from './generation.ts';
import type { PluginHost } from './plugin-chains.ts';

/** What building takes from the process. */
export interface BuildPorts {
  readonly balancing: Balancing;
  readonly metrics: RouteMetrics;
  readonly plugins: PluginHost;
  /** Reads what configs and credentials refer to. Default: nobody does, and what refers to a secret is locked. */
  readonly secrets?: ConfigurationSecrets;
  /** Told of certificates that cannot be presented, by ID, with OpenSSL's code. Default: nobody. */
  readonly onUnusableCertificate?: OnUnusable;
}

/** Which configuration a generation shows. */
export interface GenerationName {
  readonly number: number;
  readonly revision: number;
  readonly hash: string;
  readonly tenantId: string;
}

/** A generation ready to serve, or every mistake of the configuration. */
export type BuildOutcome =
  | {
      readonly ok: true;
      readonly generation: Generation;
      /** Mistakes of single routes, targets and certificates, which are left out, and plugins that are not installed; the rest is served. */
      readonly leftOut: readonly ConfigurationError[];
    }
  | { readonly ok: false; readonly errors: readonly ConfigurationError[] };
