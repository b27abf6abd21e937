import { describe, expect, it } from 'vitest';
import { buildProgram } from '../program/program.ts';
import { commandsOf, examplesOf, fullName, gwctlReference } from './gwctl-reference.test-support.ts';

const program = buildProgram(() => undefined);

describe('the reference, which `npm run generate` writes', () => {
  it('docs/reference/gwctl.md is what the command line says of itself', async () => {
    await expect(gwctlReference(program)).toMatchFileSnapshot('../../../../docs/reference/gwctl.md');
  });
});

describe.each(commandsOf(program).map((command) => [fullName(command), command] as const))('%s', (name, command) => {
  it('says what it does, and shows it', () => {
    expect(command.description()).not.toBe('');
    const examples = examplesOf(command);
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) expect(example).toContain(name.split(' ').at(-1));
    const undescribed = command.options.filter(({ description }) => description === '');
    expect(undescribed).toEqual([]);
  });

  it('has no option that hides a global one', () => {
    const globals = new Set(program.options.flatMap(({ long, short }) => [long, short]));
    const hiding = command.options.filter(({ long, short }) =>
      [long, short].some((flag) => flag !== undefined && globals.has(flag)),
    );
    expect(hiding.map(({ flags }) => flags)).toEqual([]);
  });
});
