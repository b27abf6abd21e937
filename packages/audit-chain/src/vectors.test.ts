import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { exportLine } from './index.ts';
import { noteOver, sampleEvents, sampleLog, SIGNER } from './testing/sample-log.test-support.ts';
import { vectorDocument } from './testing/vectors.test-support.ts';

const VECTORS = fileURLToPath(new URL('../vectors/v1.json', import.meta.url));
const VERIFIER = fileURLToPath(new URL('../vectors/verify.py', import.meta.url));

function python(...args: string[]): { status: number | null; stdout: string } {
  const { status, stdout } = spawnSync('python3', args, { encoding: 'utf8' });
  return { status, stdout };
}

it('the committed vectors are the ones that this code makes', async () => {
  expect(readFileSync(VECTORS, 'utf8')).toBe(await vectorDocument());
});

describe.skipIf(python('--version').status !== 0)('the verifier in Python (needs python3)', () => {
  it('agrees on every vector', () => {
    expect(python(VERIFIER, VECTORS)).toEqual({ status: 0, stdout: '154 of 154 vectors agree\n' });
  });

  it('notices vectors that are wrong', async () => {
    await using folder = await temporaryFolder();
    const text = readFileSync(VECTORS, 'utf8');
    const wrong = text.replaceAll('"outcome":"tampered"', '"outcome":"valid"');
    writeFileSync(folder.join('v1.json'), wrong);
    const { status, stdout } = python(VERIFIER, folder.join('v1.json'));
    expect([status, stdout.split('\n').filter((line) => line.startsWith('disagrees: log: ')).length > 30]).toEqual([
      1,
      true,
    ]);
  });

  it('verifies an export', async () => {
    await using folder = await temporaryFolder();
    const log = sampleLog(sampleEvents(6));
    const [file, note] = [folder.join('export.ndjson'), folder.join('checkpoint.txt')];
    const text = log.map((record) => `${exportLine(record)}\n`).join('');
    writeFileSync(file, text);
    writeFileSync(note, noteOver(log));
    expect(python(VERIFIER, file, SIGNER.verifierKey, note)).toEqual({ status: 0, stdout: 'valid\n' });
    writeFileSync(file, text.replace('entity-2', 'entity-9'));
    expect(python(VERIFIER, file, SIGNER.verifierKey, note)).toEqual({ status: 2, stdout: 'tampered\n' });
  });
});
