import * as v from 'valibot';
import type { Family } from '../family.ts';
import * as field from '../fields.ts';
import { maxCharacters, minCharacters } from '../text-length.ts';

/** Roles of administration users. Source: wire contract, Users, tokens, tenants. */
export const userRoles = ['super_admin', 'admin', 'writer', 'reader'] as const;

/** Length bounds of a password. Source: security rules, Password hashing. */
export const passwordLength = { min: 8, max: 128 } as const;

/** Administration users. Source: wire contract, Users, tokens, tenants; decisions, 4. */
export const users: Family = {
  name: 'users',
  singular: 'user',
  summary: 'Users: people who administer',
  scope: 'tenant',
  tenantOptional: true,
  access: { read: 'read', write: 'administer' },
  fields: {
    username: v.pipe(field.name, maxCharacters(128), v.description('Unique in the tenant; case-sensitive')),
    password: v.optional(
      v.pipe(
        v.string(),
        minCharacters(passwordLength.min),
        maxCharacters(passwordLength.max),
        v.metadata({ writeOnly: true, 'x-secret': true }),
        v.description('Stored as a hash; required at creation'),
      ),
    ),
    role: v.pipe(v.picklist(userRoles), v.description('What the user may do')),
    enabled: field.enabled,
    description: field.description,
    labels: field.labels,
  },
  readOnlyFields: {},
  references: [],
  keys: [{ name: 'username', fields: ['username'], scope: 'tenant', addressable: true }],
  methods: ['POST', 'PATCH', 'DELETE'],
  deliveredToGateways: false,
};
