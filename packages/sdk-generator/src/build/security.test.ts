import { describe, expect, it } from 'vitest';
import { buildingOf } from '../checks/described-models.test-support.ts';

describe('credentials of operations', () => {
  it('are alternatives of what clients have, and the usual ones where nothing is described', () => {
    const schemes = `components: { securitySchemes: { z: { type: oauth2, flows: {} }, b: { type: http, scheme: BASIC }, a: { type: apiKey, in: cookie, name: sid }, m: { type: mutualTLS } } }`;
    const building = buildingOf(`
security: [{ z: [] }, {}]
paths: { /t: { get: { responses: {} }, put: { security: [], responses: {} }, post: { security: [{ b: [], a: [] }, { m: [] }, { gone: [] }], responses: {} } } }
${schemes}`);
    if (!building.ok) throw new Error('refused');
    expect(building.model.schemes.map(({ key, kind }) => [key, kind])).toEqual([
      ['a', 'apiKey'],
      ['b', 'basic'],
      ['z', 'bearer'],
    ]);
    expect(building.model.operations.map(({ method, security }) => [method, security])).toEqual([
      ['GET', [['z']]],
      ['PUT', []],
      ['POST', [['a', 'b']]],
    ]);
    expect(building.warnings.map(({ pointer }) => pointer)).toEqual([
      '/components/securitySchemes/m',
      '/paths/~1t/post',
    ]);
    const none = buildingOf('paths: { /t: { get: { responses: {} } } }');
    expect(none.ok && none.model.operations[0]?.security).toEqual([['bearer'], ['apiKey']]);
  });

  it('are those of each scheme where nothing says which operation asks for which', () => {
    const schemes = `components: { securitySchemes: { z: { type: http, scheme: bearer }, a: { type: apiKey, in: header, name: X-A } } }`;
    const securityOf = (more: string): readonly unknown[] => {
      const building = buildingOf(`${more}\npaths: { /t: { get: { responses: {} } } }\n${schemes}`);
      if (!building.ok) throw new Error('refused');
      return [building.model.operations[0]?.security, building.warnings.map(({ pointer }) => pointer)];
    };
    expect(securityOf('')).toEqual([[['a'], ['z']], ['/components/securitySchemes']]);
    expect(securityOf('security: []')).toEqual([[], []]);
  });

  it('are warned of where credentials of one alternative are sent in the same place', () => {
    const building = buildingOf(`
security: [{ basic: [], token: [] }]
paths: { /t: { get: { responses: {} }, put: { responses: {} }, post: { security: [{ token: [], raw: [] }], responses: {} }, patch: { security: [{ token: [], oauth: [], key: [] }, { basic: [] }], responses: {} } } }
components: { securitySchemes: { basic: { type: http, scheme: basic }, token: { type: http, scheme: bearer }, oauth: { type: oauth2, flows: {} }, raw: { type: apiKey, in: header, name: AUTHORIZATION }, key: { type: apiKey, in: query, name: authorization } } }`);
    expect(building.ok && building.warnings).toEqual([
      { pointer: '/security', message: expect.stringContaining('basic and token') },
      { pointer: '/paths/~1t/post/security', message: expect.stringContaining('raw and token') },
    ]);
  });
});
