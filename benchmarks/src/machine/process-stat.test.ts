import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { parseProcessStat, parseResidentKilobytes, processTree } from './process-stat.ts';

const tail = '0 0 20 0 11 0 123 456 789';
const line = (pid: number, name: string, parent: number, times: string): string =>
  `${pid} (${name}) S ${parent} 1 1 0 -1 4194304 100 0 0 0 ${times} ${tail}\n`;

describe('parseProcessStat', () => {
  it.each([
    ['an ordinary name', 'node'],
    ['a name with spaces', 'nginx: worker'],
    ['a name with parentheses', 'a) S 9 (b'],
    ['a name of a parenthesis only', ')'],
  ])('adds user, system and waited-for times, with %s', (_case, name) => {
    expect(parseProcessStat(line(42, name, 7, '150 50 20 5'))).toEqual({ pid: 42, parentPid: 7, cpuSeconds: 2.25 });
  });

  it.each([
    ['nothing', ''],
    ['a name without an end', '42 (node S 7'],
    ['a line that is cut', '42 (node) S 7 1 1 0'],
  ])('gives up on %s', (_case, text) => {
    expect(parseProcessStat(text)).toBeUndefined();
  });

  it('reads the line of this very process', async () => {
    const stat = parseProcessStat(await readFile('/proc/self/stat', 'utf8'));
    expect(stat).toMatchObject({ pid: process.pid, parentPid: process.ppid });
    const used = process.cpuUsage();
    expect(stat?.cpuSeconds).toBeGreaterThan(0);
    expect(stat?.cpuSeconds).toBeLessThanOrEqual((used.user + used.system) / 1e6 + 0.02);
  });
});

describe('processTree', () => {
  const stats = [
    { pid: 1, parentPid: 0, cpuSeconds: 1 },
    { pid: 2, parentPid: 1, cpuSeconds: 2 },
    { pid: 3, parentPid: 2, cpuSeconds: 4 },
    { pid: 4, parentPid: 1, cpuSeconds: 8 },
  ];

  it('holds children and their children, and no stranger', () => {
    expect(processTree(stats, 2).map(({ pid }) => pid)).toEqual([2, 3]);
    expect(processTree(stats, 1).map(({ pid }) => pid)).toEqual([1, 2, 3, 4]);
  });

  it('is empty for a process that has ended', () => {
    expect(processTree(stats, 99)).toEqual([]);
  });
});

it.each([
  ['Name:\tnode\nVmHWM:\t  90000 kB\nVmRSS:\t  81234 kB\nRssAnon:\t 5 kB\n', 81_234],
  ['Name:\tnode\nState:\tZ (zombie)\n', 0],
])('parseResidentKilobytes reads VmRSS', (text, expected) => {
  expect(parseResidentKilobytes(text)).toBe(expected);
});
