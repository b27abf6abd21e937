import { describe, expect, it } from 'vitest';
import { openIdentityWorld } from './identity.test-support.ts';

describe('the first administrator', () => {
  it('is made once, also by two replicas at once, with a password that works', async () => {
    await using fresh = await openIdentityWorld();
    const made = (await Promise.all([fresh.firstAdministrator(), fresh.firstAdministrator()])).filter(
      (one) => one !== undefined,
    );
    expect(made).toHaveLength(1);
    expect(made[0]?.generatedPassword).toMatch(/^[0-9A-Za-z]{24}$/);
    expect(await fresh.firstAdministrator()).toBeUndefined();
    const body = JSON.stringify({ username: 'admin', password: made[0]?.generatedPassword });
    const response = await fetch(`${fresh.url}/auth/login`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect(response.status).toBe(200);
    const audits = await fresh.database.read
      .selectFrom('audit_records')
      .select(['action', 'entity_type', 'actor_username'])
      .execute();
    expect(audits[0]).toEqual({ action: 'create', entity_type: 'user', actor_username: 'system' });
  });

  it('has the password of the settings where one is given', async () => {
    await using fresh = await openIdentityWorld();
    expect(await fresh.firstAdministrator('given horse 99')).toEqual({
      username: 'admin',
      generatedPassword: undefined,
    });
  });
});
