import * as v from 'valibot';
import type { Family } from '../family.ts';
import * as field from '../fields.ts';

/** Scopes that an admin API token may carry. Source: spec, Authentication. */
export const apiTokenScopes = ['admin:read', 'admin:write'] as const;

/** Admin API tokens. Source: spec, Authentication; decisions, 8 (no PUT, no PATCH). */
export const apiTokens: Family = {
  name: 'api-tokens',
  singular: 'api_token',
  summary: 'Admin API tokens: access to this API without a user',
  scope: 'tenant',
  tenantOptional: true,
  access: { read: 'read', write: 'administer' },
  fields: {
    name: field.name,
    description: field.description,
    labels: field.labels,
    scopes: v.pipe(
      v.array(v.picklist(apiTokenScopes)),
      v.minLength(1, 'needs at least one scope'),
      v.check((scopes) => new Set(scopes).size === scopes.length, 'must not repeat a scope'),
      v.description('What the token may do; a token that is made with a token has no scope which that lacks'),
    ),
    expires_at: v.optional(
      v.pipe(
        field.timestamp,
        v.description(
          'The token is refused from then on. A token that is made with a token ends no later than that, and with it where ' +
            'this is not given',
        ),
      ),
    ),
  },
  readOnlyFields: {
    prefix: v.pipe(v.string(), v.description('First characters of the token, to tell tokens apart')),
    last_used_at: v.optional(v.pipe(v.string(), v.description('Last use, to the minute'))),
  },
  references: [],
  keys: [
    { name: 'name', fields: ['name'], scope: 'tenant', addressable: true },
    { name: 'token', fields: ['token_id'], scope: 'everywhere' },
  ],
  methods: ['POST', 'DELETE'],
  deliveredToGateways: false,
};
