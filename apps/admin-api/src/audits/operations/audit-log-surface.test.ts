import {
  createVerifier,
  openNote,
  parseCheckpoint,
  parseVerifierKey,
  verifyConsistency,
  verifyInclusion,
} from '@portcullis/audit-chain';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../../database/each-database.test-support.ts';
import { startTestService } from '../../testing/test-service.test-support.ts';
import type { Answer, TestService } from '../../testing/test-service.test-support.ts';

const audits = '/api/v1/admin/audits';

describeOnEachDatabase('the audit log for its users', (context) => {
  let service: TestService;
  let acme = '';
  const get = (path: string, token?: string): Promise<Answer> =>
    service.call('GET', `${audits}${path}`, undefined, token === undefined ? {} : { token });
  const consumer = async (username: string, tenantId = 'acme'): Promise<Answer> => {
    const answer = await service.call('POST', `/api/v1/admin/consumers?tenant_id=${tenantId}`, { username });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer;
  };
  const linesOf = async (query: string, token?: string): Promise<string[]> => {
    const { status, body, headers } = await get(`/export?${query}`, token);
    expect([status, headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
    const text = typeof body === 'string' ? body : body === undefined ? '' : `${JSON.stringify(body)}\n`;
    return text.split('\n').slice(0, -1);
  };

  beforeAll(async () => {
    service = await startTestService(context.url());
    await service.addTenant('acme');
    await service.addTenant('globex');
    acme = await service.addUser('acme', 'ann', 'admin');
    for (let index = 0; index < 12; index += 1) await consumer(`c${index}`);
    await consumer('g', 'globex');
  });
  afterAll(() => service.stop());

  it('shows each record exactly once to who follows the links while others are written', async () => {
    const first = await get('/?tenant_id=acme&limit=3');
    const expected: number = first.body.total;
    const seen: string[] = first.body.items.map((item: { id: string }) => item.id);
    let page = first;
    for (;;) {
      const next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
      if (next === undefined) break;
      await consumer(`later-${seen.length}`);
      page = await service.call('GET', next);
      expect([page.body.total, page.headers.get('x-total-count')]).toEqual([expected, String(expected)]);
      seen.push(...page.body.items.map((item: { id: string }) => item.id));
    }
    expect(seen.length).toBe(expected);
    expect(new Set(seen).size).toBe(expected);
    expect((await get('/?tenant_id=acme&limit=1')).body.total).toBeGreaterThan(expected);
  });

  it('has every record in its place in the chains as soon as its write is answered', async () => {
    const made = await consumer('at-once');
    const { body } = await get(`/?tenant_id=acme&entity_id=${made.body.id}`);
    expect(body.items[0]).toMatchObject({
      tenant_sequence: expect.any(Number),
      global_sequence: expect.any(Number),
      audit_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      redacted: [],
    });
  });

  it('verifies, over all tenants for a super administrator, and the own for anybody else', async () => {
    const over = await service.call('POST', `${audits}/verify`, {});
    expect(over).toMatchObject({ status: 200, body: { valid: true, head: { sequence: over.body.checked } } });
    const own = await service.call('POST', `${audits}/verify`, {}, { token: acme });
    expect(own).toMatchObject({ status: 200, body: { valid: true } });
    expect(own.body.checked).toBeLessThan(over.body.checked);
    const named = await service.call('POST', `${audits}/verify`, { tenant_id: 'acme' });
    expect(named.body).toEqual(own.body);
    const foreign = await service.call('POST', `${audits}/verify`, { tenant_id: 'globex' }, { token: acme });
    expect([foreign.status, foreign.body.code]).toEqual([403, 'cross_tenant']);
  });

  it('exports what verifies without a server, against a checkpoint signed by the published key', async () => {
    for (const [query, scope, token] of [
      ['', { kind: 'global' }, undefined],
      ['tenant_id=acme', { kind: 'tenant', tenantId: 'acme' }, undefined],
      ['', { kind: 'tenant', tenantId: 'acme' }, acme],
    ] as const) {
      const checkpoint = (await get(`/checkpoint?${query}`, token)).body;
      const lines = await linesOf(query, token);
      // What was refused is recorded a little later.
      expect(lines.length).toBeGreaterThanOrEqual(checkpoint.size);
      const verifier = createVerifier({ scope, checkpoints: [checkpoint.note], keys: [checkpoint.verifier_key] });
      for (const line of lines) verifier.pushLine(line);
      expect(verifier.finish()).toMatchObject({ outcome: 'valid', checked: lines.length, sealed: checkpoint.size });
    }
  });

  it('exports a part, and in pieces that fit together', async () => {
    const whole = await linesOf('tenant_id=acme');
    const has = whole.length;
    // What was refused is recorded a little later, and then comes behind these.
    expect((await linesOf('tenant_id=acme&from=3')).slice(0, has - 2)).toEqual(whole.slice(2));
    const pieces: string[] = [];
    for (;;) {
      const piece = await linesOf(`tenant_id=acme&limit=5&from=${pieces.length + 1}`);
      if (piece.length === 0) break;
      expect(piece.length).toBeLessThanOrEqual(5);
      pieces.push(...piece);
    }
    expect(pieces.slice(0, has)).toEqual(whole);
  });

  it('proves that a record is in the log, and that an earlier log is the beginning of a later one', async () => {
    const rootAt = async (): Promise<{ size: number; root: string }> => {
      const { note, verifier_key: key, origin } = (await get('/checkpoint?tenant_id=acme')).body;
      const opened = parseCheckpoint(openNote(note, [parseVerifierKey(key)]).text);
      expect(opened.origin).toBe(origin);
      return opened;
    };
    const earlier = await rootAt();
    for (let index = 0; index < 5; index += 1) await consumer(`p${index}`);
    const later = await rootAt();
    const query = `tenant_id=acme&from=${earlier.size}&to=${later.size}`;
    const consistency = (await get(`/proof/consistency?${query}`)).body;
    expect(
      verifyConsistency({
        from: earlier.size,
        fromRoot: earlier.root,
        to: later.size,
        toRoot: later.root,
        proof: consistency.hashes,
      }),
    ).toBe(true);
    for (const seq of [1, 4, earlier.size]) {
      // Of the log that was signed: on a busy machine it may have grown since.
      const of = `seq=${seq}&size=${later.size}`;
      const { leaf_hash: leaf, hashes: proof } = (await get(`/proof/inclusion?tenant_id=acme&${of}`)).body;
      expect(verifyInclusion({ leaf, index: seq - 1, size: later.size, root: later.root, proof }), `${seq}`).toBe(true);
    }
    for (const wrong of ['seq=0', 'seq=1&size=99999', 'seq=99999', 'seq=x']) {
      expect((await get(`/proof/inclusion?tenant_id=acme&${wrong}`)).status, wrong).toBe(422);
    }
    for (const wrong of ['from=3&to=2', 'from=1&to=99999']) {
      expect((await get(`/proof/consistency?tenant_id=acme&${wrong}`)).status, wrong).toBe(422);
    }
  });

  it('tells writers of the last checkpoint', async () => {
    await get('/checkpoint');
    const { headers } = await consumer('told');
    expect(headers.get('x-audit-checkpoint')).toMatch(/^[1-9][0-9]*:[0-9a-f]{64}$/);
    expect((await get('/?limit=1')).headers.get('x-audit-checkpoint')).toBeNull();
  });

  it('erases values for good, says so, and stays whole', async () => {
    const made = await consumer('forget-me');
    const { id } = (await get(`/?tenant_id=acme&entity_id=${made.body.id}`)).body.items[0];
    const path = `${audits}/${id}/redact`;
    expect((await service.call('POST', path, { fields: ['after'] }, { token: acme })).status).toBe(403);
    const answer = await service.call('POST', path, { fields: ['after', 'source_ip'], reason: 'asked to' });
    expect(answer).toMatchObject({
      status: 200,
      body: { after: null, source_ip: '', redacted: ['after', 'source_ip'] },
    });
    expect((await linesOf('tenant_id=acme')).some((line) => line.includes('forget-me'))).toBe(false);
    const about = (await get(`/?tenant_id=acme&entity_id=${id}`)).body.items[0];
    expect(about).toMatchObject({ action: 'redact', entity_type: 'audit_record' });
    expect(about.metadata).toEqual({ fields: ['after', 'source_ip'], reason: 'asked to' });
    expect((await service.call('POST', `${audits}/verify`, {})).body).toMatchObject({ valid: true, redacted: 2 });
    // What says who erased something stays, for all to see.
    const again = await service.call('POST', `${audits}/${about.id}/redact`, { fields: ['metadata'] });
    expect([again.status, again.body.code]).toEqual([409, 'invalid_state']);
    expect((await service.call('POST', `${audits}/none/redact`, { fields: ['after'] })).status).toBe(404);
    expect((await service.call('POST', path, { fields: ['action'] })).status).toBe(422);
  });

  it('has rules of retention that only a super administrator sets', async () => {
    const path = `${audits}/retention`;
    const asAcme = await service.call('PUT', path, { days: 1 }, { token: acme });
    expect(asAcme.status).toBe(403);
    const put = await service.call('PUT', path, { tenant_id: 'acme', days: 400 });
    expect(put.body).toEqual({ tenant_id: 'acme', days: 400, effective_days: 400, pruned_through: 0 });
    expect((await get('/retention', acme)).body).toEqual(put.body);
    await service.call('PUT', path, { tenant_id: 'acme', days: null });
    expect((await get('/retention', acme)).body).toMatchObject({ days: null, effective_days: null });
    for (const days of [0, 1.5, 40_000, '1']) {
      expect((await service.call('PUT', path, { tenant_id: 'acme', days })).status, String(days)).toBe(422);
    }
  });
});
