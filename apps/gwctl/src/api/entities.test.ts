import { entityFamilies, familyNamed } from '@portcullis/resources';
import { describe, expect, it } from 'vitest';
import { collectionPath, entityNamed, entityNames, listParent, recordPath } from './entities.ts';

/** Source: spec, Operator command-line tool. */
const entitiesOfTheSpec = [
  ['gateways', 'gateway'],
  ['services', 'service'],
  ['routes', 'route'],
  ['upstreams', 'upstream'],
  ['targets', 'target'],
  ['certificates', 'certificate'],
  ['ca-certificates', 'ca-certificate'],
  ['snis', 'sni'],
  ['vaults', 'vault'],
  ['cache-store-configs', 'cache-store-config'],
  ['data-planes', 'data-plane'],
  ['consumers', 'consumer'],
  ['consumer-groups', 'consumer-group'],
  ['consumer-credentials', 'consumer-credential'],
  ['realms', 'realm'],
  ['api-tokens', 'api-token'],
];

describe('entities', () => {
  it.each(entitiesOfTheSpec)('%s and %s are one', (plural, singular) => {
    expect(entityNamed(plural)).toBe(familyNamed(plural));
    expect(entityNamed(singular)).toBe(familyNamed(plural));
  });

  it('are all families that the command line administers, and no name means two', () => {
    const names = entityFamilies.flatMap((family) => entityNames(family));
    expect(new Set(names).size).toBe(names.length);
    for (const family of entityFamilies) expect(entityNamed(family.singular)).toBe(family);
  });

  it('an unknown one lists the known', () => {
    expect(() => entityNamed('ship')).toThrow('no entity is called ship');
    expect(() => entityNamed(undefined)).toThrow('which entity?');
  });
});

describe('collectionPath', () => {
  it.each([
    ['routes', '/api/v1/admin/gateways/g%2F1/routes'],
    ['consumers', '/api/v1/admin/consumers'],
    ['teams', '/api/v1/admin/rbac/teams'],
    ['organizations', '/api/v1/admin/rbac/organizations'],
    ['ai-records', '/api/v1/admin/ai-gateway/records'],
    ['plugins', '/api/v1/admin/plugins'],
  ])('of %s is %s', (name, path) => {
    expect(collectionPath(familyNamed(name), 'g/1')).toBe(path);
  });
});

describe('recordPath', () => {
  it('keeps whatever a name holds within one segment', () => {
    expect(recordPath(familyNamed('routes'), 'g', '../a?b#c')).toBe('/api/v1/admin/gateways/g/routes/..%2Fa%3Fb%23c');
    expect(recordPath(familyNamed('routes'), 'g', '...')).toBe('/api/v1/admin/gateways/g/routes/...');
  });

  it.each(['', '.', '..'])('refuses %j, for the record and for the gateway: it would be the path of others', (text) => {
    expect(() => recordPath(familyNamed('routes'), 'g', text)).toThrow('no route');
    expect(() => recordPath(familyNamed('routes'), text, 'r')).toThrow('no gateway');
  });
});

it('only targets are listed within another record', () => {
  expect(entityFamilies.filter((family) => listParent(family)).map(({ name }) => name)).toEqual(['targets']);
});
