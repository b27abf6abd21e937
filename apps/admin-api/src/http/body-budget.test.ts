import { describe, expect, it } from 'vitest';
import { BodyBudget } from './body-budget.ts';

const refused = expect.objectContaining({ code: 'unavailable', headers: { 'retry-after': '10' } }) as unknown;

describe('the budget of bodies', () => {
  it('bounds a caller, all callers, and lets small bodies pass when there is nothing left', () => {
    const budget = new BodyBudget({ totalMax: 1000, callerMax: 600, freeMax: 100 });
    const first = budget.share('a');
    first.take(50);
    expect(budget.heldBytes).toBe(0);
    first.take(450);
    expect(budget.heldBytes).toBe(400);
    expect(() => budget.share('a').take(301)).toThrow(refused);
    budget.share('b').take(700);
    expect(budget.heldBytes).toBe(1000);
    expect(() => budget.share('c').take(101)).toThrow(refused);
    expect(() => first.take(1)).toThrow(refused);
    const small = budget.share('c');
    small.take(100);
    small.giveBack();
    expect(budget.heldBytes).toBe(1000);
    first.giveBack();
    first.giveBack();
    expect(budget.heldBytes).toBe(600);
  });

  it('gives back what a refused body holds', () => {
    const budget = new BodyBudget({ totalMax: 1000, callerMax: 600, freeMax: 0 });
    const share = budget.share('a');
    share.take(500);
    expect(() => share.take(500)).toThrow(refused);
    share.giveBack();
    expect(budget.heldBytes).toBe(0);
    budget.share('a').take(600);
  });
});
