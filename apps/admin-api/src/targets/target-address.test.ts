import { describe, expect, it } from 'vitest';
import type { Values } from '../resources/values.ts';
import { targetAddressBehaviour } from './target-address.ts';

const { derive, check } = targetAddressBehaviour;

/** What becomes of a target: its name and address, and the fields that contradict each other. */
function outcomeOf(values: Values, before?: Values): unknown[] {
  const { name, host, port } = derive?.(values, before) ?? {};
  const problems = check?.({ name, host, port }) ?? [];
  return [name, host, port, ...problems.map(({ pointer }) => pointer)];
}

describe('a new target', () => {
  it.each([
    [{ name: 'a.test:80' }, ['a.test:80', 'a.test', 80]],
    [{ name: '[::1]:80' }, ['[::1]:80', '::1', 80]],
    [{ host: 'a.test', port: 80 }, ['a.test:80', 'a.test', 80]],
    [{ host: '::1', port: 80 }, ['[::1]:80', '::1', 80]],
    [{ host: '[::1]', port: 80 }, ['[::1]:80', '::1', 80]],
    [{ name: 'primary', host: 'a.test', port: 80 }, ['primary', 'a.test', 80]],
    [{ name: 'a.test:80', host: 'A.test', port: 80 }, ['a.test:80', 'A.test', 80]],
    [{ name: 'a.test:80', port: 80 }, ['a.test:80', 'a.test', 80]],
  ])('%j has %j', (values, outcome) => {
    expect(outcomeOf(values)).toEqual(outcome);
  });

  it.each([
    [{ name: 'a.test:80', host: 'b.test', port: 80 }, ['/host']],
    [{ name: 'a.test:80', host: 'a.test', port: 81 }, ['/port']],
    [{ name: 'a.test:80', host: 'b.test', port: 81 }, ['/host', '/port']],
    [{ name: 'a.test:80', host: 'b.test' }, ['/host']],
    [{ name: 'a.test:80', port: 81 }, ['/port']],
  ])('%j contradicts itself', (values, pointers) => {
    expect(outcomeOf(values).slice(3)).toEqual(pointers);
  });
});

describe('a changed target', () => {
  const before = { name: 'a.test:80', host: 'a.test', port: 80 };
  it.each([
    ['the name moves it', { ...before, name: 'b.test:81' }, ['b.test:81', 'b.test', 81]],
    ['a name made of the address follows it', { ...before, host: 'b.test' }, ['b.test:80', 'b.test', 80]],
    ['so does it after the port', { ...before, port: 81 }, ['a.test:81', 'a.test', 81]],
    ['a free name may be given', { ...before, name: 'primary' }, ['primary', 'a.test', 80]],
    ['nothing changes', before, ['a.test:80', 'a.test', 80]],
    ['both may change together', { name: 'b.test:81', host: 'b.test', port: 81 }, ['b.test:81', 'b.test', 81]],
    ['and must agree', { name: 'b.test:81', host: 'c.test', port: 81 }, ['b.test:81', 'c.test', 81, '/host']],
  ])('%s', (_, values, outcome) => {
    expect(outcomeOf(values, before)).toEqual(outcome);
  });

  it('a free name stays when the address changes', () => {
    const named = { ...before, name: 'primary' };
    expect(outcomeOf({ ...named, host: 'b.test' }, named)).toEqual(['primary', 'b.test', 80]);
  });
});
