/** Prefix of our own packages. */
export const SCOPE = '@portcullis/';

/** What a package may import of our other packages. */
export interface Allowance {
  readonly packages: readonly string[];
  /** Only with `import type`. */
  readonly types?: readonly string[];
}

const NOTHING: Allowance = { packages: [] };

/**
 * Who may import whom, among `packages/`. A package that is not listed may not exist. Apps import any package, and no app.
 * Source: design, section 2, and decisions 30 (`egress`, `vaults`, `openapi`, and what two apps need alike).
 */
export const IMPORT_TABLE: Readonly<Record<string, Allowance>> = {
  'admin-client': { packages: [], types: ['resources'] },
  'ai-router': NOTHING,
  'audit-chain': NOTHING,
  'bundle-diff': NOTHING,
  egress: NOTHING,
  integrations: NOTHING,
  'open-metrics': NOTHING,
  openapi: NOTHING,
  'plugin-runtime': NOTHING,
  plugins: { packages: ['ai-router', 'egress', 'openapi', 'plugin-runtime', 'vaults'] },
  resources: NOTHING,
  router: NOTHING,
  'sdk-generator': { packages: ['openapi'] },
  'slo-engine': NOTHING,
  vaults: NOTHING,
};

/** For tests only, wherever something is shipped. */
export const TEST_PACKAGES: readonly string[] = ['testkit'];

/** Brought by the root package.json to every test and script. */
export const ROOT_TOOLS: readonly string[] = ['vitest', 'tsup', 'typescript', 'oxlint', 'oxfmt', 'turbo'];
