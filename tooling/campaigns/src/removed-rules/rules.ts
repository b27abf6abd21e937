/** A rule of docs/security.md, and how to take it out. */
export interface Rule {
  /** The row's test. */
  readonly test: string;
  /** The title as the row has it. */
  readonly title: string;
  /** An expression for the names of the tests that are run, where the title is that of many. Default: the title up to its first placeholder. */
  readonly only?: string;
  /** The file that enforces the rule. */
  readonly file: string;
  /** Text of the file, and what stands in its place when the rule is out. Everywhere in the file. */
  readonly from: string;
  readonly to: string;
}

const addresses = {
  file: 'packages/egress/src/address/address-policy.ts',
  from: "return isPublicAddress(address) ? 'public' : 'refused';",
  to: "return 'public';",
} as const;

/** One for each row, in the order of the page. */
export const rules: readonly Rule[] = [
  {
    test: 'apps/admin-api/src/plugins/variable-references.test.ts',
    title: 'is refused in plugins, routes, AI records and bundles',
    file: 'apps/admin-api/src/plugins/variable-references.ts',
    from: 'if (isAllowed(allow, name, tenantId)) return;',
    to: "if (isAllowed(allow, name, tenantId) || name !== '') return;",
  },
  {
    test: 'apps/gateway/src/log-files/log-folder.test.ts',
    title: 'follows no link that takes the place of a file or a folder while it writes',
    file: 'apps/gateway/src/log-files/adapters/folder.ts',
    from: ' | constants.O_NOFOLLOW',
    to: '',
  },
  {
    test: 'packages/plugins/src/cloud_guardrails/config.test.ts',
    title: 'a region that leads elsewhere',
    file: 'packages/plugins/src/cloud_guardrails/config.ts',
    from: String.raw`v.regex(/^[a-z]{2}(?:-[a-z]+)+-\d$/, `,
    to: 'v.regex(/^/, ',
  },
  {
    test: 'packages/plugins/src/apm_vendor/index.test.ts',
    title: 'may not have the site %j, which would become part of a host',
    file: 'packages/plugins/src/apm_vendor/config.ts',
    from: `choice("The vendor's site that the key belongs to", SITES)`,
    to: 'v.custom<(typeof SITES)[number]>(() => true)',
  },
  {
    test: 'packages/plugins/src/address-fields.test.ts',
    title: 'leads to no private address, however it is spelt',
    only: 'http_log /endpoint.*leads to no private address',
    ...addresses,
  },
  {
    test: 'packages/egress/src/rebinding.test.ts',
    title: 'a redirect to a name that has turned is refused',
    ...addresses,
  },
  {
    test: 'packages/plugins/src/address-fields.test.ts',
    title: 'leads to no private address when its name changes its mind',
    only: 'tcp_log /host.*leads to no private address when',
    ...addresses,
  },
  {
    test: 'apps/gateway/src/adapters/vault-addresses.test.ts',
    title: 'a vault leads to no private address over %s, however it is spelt',
    ...addresses,
  },
  {
    test: 'apps/gateway/src/adapters/vault-addresses.test.ts',
    title: 'a vault that redirects with %i is not followed',
    file: 'packages/vaults/src/drivers/hashicorp.ts',
    from: 'redirectsMax: 0 }',
    to: 'redirectsMax: 3 as 0 }',
  },
  {
    test: 'apps/admin-api/src/integrations/driver-addresses.test.ts',
    title: 'reaches no private address over %s, however it is spelt',
    ...addresses,
  },
  {
    test: 'packages/plugins/src/stream_log/hostile.test.ts',
    title: 'calls no broker at %s that a cluster names and the operator does not allow',
    file: 'packages/plugins/src/stream_log/kafka/guarded-connections.ts',
    from: 'const addresses = await guard.outbound.resolve',
    to: 'if (broker.port > 0) return [broker];\n    const addresses = await guard.outbound.resolve',
  },
  {
    test: 'packages/plugins/src/ldap_auth/index.test.ts',
    title: 'refuses %s with 401 without asking',
    file: 'packages/plugins/src/ldap_auth/index.ts',
    from: "if (password === '') return refuse(exchange, 'empty_password');",
    to: '',
  },
  {
    test: 'apps/gateway/src/proxy/edge.test.ts',
    title: 'takes no word of an untrusted peer about who its client is',
    file: 'apps/gateway/src/proxy/request-head.ts',
    from: 'const isTrusted = trusted.has(peer);',
    to: "const isTrusted = trusted.has(peer) || peer !== '';",
  },
  {
    test: 'apps/admin-api/src/config/import.test.ts',
    title: "has no use for another tenant's IDs",
    file: 'apps/admin-api/src/store/create-resource-store.ts',
    from: ".where('tenant_id', '=', tenantId)\n      .where('family', '=', family)\n      .where('id', 'in', chunk)",
    to: ".where('family', '=', family)\n      .where('id', 'in', chunk)",
  },
  {
    test: 'apps/admin-api/src/config/masked-import.test.ts',
    title: 'a mask never takes the place of a secret',
    file: 'apps/admin-api/src/resources/secret-values.ts',
    from: 'if (masked.length === 0) return',
    to: 'if (masked.length >= 0) return',
  },
  {
    test: 'packages/plugins/src/ai_proxy/cache.test.ts',
    title: 'keeps each tenant apart, whatever the config says',
    file: 'packages/plugins/src/ai_proxy/answer-caches.ts',
    from: 'return { ...settings, variesByTenant: true };',
    to: 'return settings;',
  },
  {
    test: 'packages/plugins/src/response_cache/index.test.ts',
    title: "a consumer's answer for another one",
    file: 'packages/plugins/src/response_cache/asked-request.ts',
    from: "return consumer === undefined && !isAuthenticated && vary.some(({ name }) => name === 'authorization');",
    to: 'return true;',
  },
  {
    test: 'packages/plugins/src/template_transform/template.test.ts',
    title: 'body.%s is missing',
    file: 'packages/plugins/src/template_transform/variables.ts',
    from: ' || !Object.hasOwn(at, step)',
    to: '',
  },
  {
    test: 'packages/openapi/src/read-description.test.ts',
    title: 'a remote reference in a schema',
    file: 'packages/openapi/src/read-description.ts',
    from: 'refuseRemoteReferences(document, problems);',
    to: '',
  },
  {
    test: 'packages/plugins/src/redirect/index.test.ts',
    title: 'leads nowhere else with the path %j',
    file: 'packages/plugins/src/redirect/target.ts',
    from: 'joinedPath(target.path, safePath(path))',
    to: 'path',
  },
  {
    test: 'packages/plugins/src/shared/safe-patterns.test.ts',
    title: 'end in a text that %s tries in vain',
    file: 'packages/plugins/src/shared/safe-patterns.ts',
    from: 'return (text) => set.match(text).length > 0;',
    to: 'return (text) => patterns.some((pattern) => new RegExp(pattern).test(text));',
  },
  {
    test: 'apps/admin-api/src/http/body-input.test.ts',
    title: '%s gets the right problem',
    only: '__proto__ gets the right problem',
    file: 'packages/bundle-diff/src/parsing/json-scanner.ts',
    from: 'if (forbiddenKeys.has(key)) this.#fail',
    to: "if (key === ' ') this.#fail",
  },
];
