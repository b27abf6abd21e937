import { describe, expect, it } from 'vitest';
import { withListedServerNames } from './listed-server-names.ts';

const inG1 = { gateway_name: 'g1' };
const inG2 = { gateway_name: 'g2' };

describe('server names that certificates of a bundle list', () => {
  it('become records that refer to the certificate by its ID, else by its name', () => {
    const certificates = [
      { ...inG1, id: 'c1', name: 'one', cert: 'x', snis: ['a.test', 'b.test'] },
      { gateway_id: 'g2', name: 'two', snis: ['a.test'] },
      { ...inG1, name: 'three' },
    ];
    expect(withListedServerNames({ tenant_id: 'acme', certificates })).toEqual({
      tenant_id: 'acme',
      certificates: [
        { ...inG1, id: 'c1', name: 'one', cert: 'x' },
        { gateway_id: 'g2', name: 'two' },
        { ...inG1, name: 'three' },
      ],
      snis: [
        { ...inG1, name: 'a.test', certificate_id: 'c1' },
        { ...inG1, name: 'b.test', certificate_id: 'c1' },
        { gateway_id: 'g2', name: 'a.test', certificate_name: 'two' },
      ],
    });
  });

  it.each([
    ['by name', { ...inG1, name: 'a.test', certificate_name: 'site' }, 1],
    ['by ID, whatever it says of the gateway', { name: 'a.test', certificate_id: 'c1' }, 1],
    ['for a certificate of that name on another gateway', { ...inG2, name: 'a.test', certificate_name: 'site' }, 2],
    ['for another certificate, which is a contradiction', { ...inG1, name: 'a.test', certificate_name: 'other' }, 2],
    ['for another name', { ...inG1, name: 'b.test', certificate_name: 'site' }, 2],
  ])('are not said twice where a record says them: %s', (_, sni, count) => {
    const certificates = [{ ...inG1, id: 'c1', name: 'site', snis: ['a.test'] }];
    expect(withListedServerNames({ certificates, snis: [sni] })).toMatchObject({ snis: { length: count } });
  });

  it.each([
    [undefined],
    [[]],
    [{ certificates: {} }],
    [{ certificates: [{ name: 'c', snis: ['a.test'] }], snis: 'none' }],
    [{ certificates: [null, 1, { snis: ['a.test'] }, { name: 'c', snis: 'a.test' }, { name: 'c', snis: [1] }] }],
  ])('in %j are left for validation', (document) => {
    expect(withListedServerNames(document)).toEqual(document);
  });
});
