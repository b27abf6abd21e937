import * as v from 'valibot';
import type { Family } from '../family.ts';
import * as field from '../fields.ts';

/** Roles that a team may give its members: never the one above all tenants. */
const teamRoles = ['admin', 'writer', 'reader'] as const;

/** Teams: members and the roles they get. Source: spec, Tenancy objects; wire contract, Users, tokens, tenants. */
export const teams: Family = {
  name: 'teams',
  singular: 'team',
  summary: 'Teams: users of a tenant and the roles that they get together',
  scope: 'tenant',
  // A team gives roles, so writing one is managing users. See ADR 0010.
  access: { read: 'read', write: 'administer' },
  collectionPaths: ['/admin/rbac/teams'],
  fields: {
    name: field.name,
    description: field.description,
    labels: field.labels,
    member_ids: field.textList(field.name, 'Users of the tenant, by ID or name'),
    roles: field.textList(v.picklist(teamRoles), 'Roles that every member has beside their own'),
    organization_id: v.optional(v.pipe(field.reference, v.description('The RBAC organization it belongs to'))),
  },
  readOnlyFields: {},
  references: [
    { field: 'member_ids', family: 'users', many: true, nameScope: 'tenant', whenTargetIsDeleted: 'release' },
    {
      field: 'organization_id',
      family: 'organizations',
      nameField: 'organization_name',
      nameScope: 'tenant',
      whenTargetIsDeleted: 'restrict',
    },
  ],
  keys: [{ name: 'name', fields: ['name'], scope: 'tenant', addressable: true }],
  foreignLists: 'own',
  methods: ['POST', 'PATCH', 'DELETE'],
  deliveredToGateways: false,
};
