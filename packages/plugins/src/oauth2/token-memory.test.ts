import { describe, expect, it } from 'vitest';
import { compileUpstreamHeaders } from '../shared/claims/upstream-headers.ts';
import { grantOf } from './token-grant.ts';
import { ACTIVE_SIZE_MAX, ACTIVE_TOKENS_MAX, INACTIVE_TOKENS_MAX, TokenMemory } from './token-memory.ts';

const upstreamHeaders = compileUpstreamHeaders({ 'X-Note': 'note' });
const rules = { scopesIn: () => undefined, requiredScopes: [], upstreamHeaders };

function kept(memory: TokenMemory, count: number): number {
  return Array.from({ length: count }, (_, index) => memory.find(`t${index}`, 0)).filter((grant) => grant !== undefined)
    .length;
}

describe('what is remembered of tokens', () => {
  it('has an end, and made-up tokens drive out no real one', () => {
    const memory = new TokenMemory();
    const grant = grantOf(rules, {}, Infinity);
    for (let index = 0; index < ACTIVE_TOKENS_MAX + 10; index += 1) memory.remember(`t${index}`, grant, 0);
    for (let index = 0; index < INACTIVE_TOKENS_MAX + 10; index += 1) memory.remember(`guess${index}`, 'inactive', 0);
    expect(kept(memory, ACTIVE_TOKENS_MAX + 10)).toBe(ACTIVE_TOKENS_MAX);
    expect([memory.find('guess0', 0), memory.find('guess10', 0)]).toEqual([undefined, 'inactive']);
  });

  it('has an end in size too: long claims take the room of many short ones', () => {
    const memory = new TokenMemory();
    const grant = grantOf(rules, { note: 'n'.repeat(4000) }, Infinity);
    for (let index = 0; index < 5000; index += 1) memory.remember(`t${index}`, grant, 0);
    expect(kept(memory, 5000)).toBe(Math.floor(ACTIVE_SIZE_MAX / grant.size));
    expect(grant.size).toBeGreaterThan(4000);
  });
});
