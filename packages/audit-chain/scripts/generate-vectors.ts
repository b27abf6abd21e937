/**
 * Writes `vectors/v1.json`, from which others can write a verifier. The same input always gives the same file: run it after
 * a change of the format, and look at the difference.
 * Run: node --conditions=@portcullis/source scripts/generate-vectors.ts
 */
import { writeFileSync } from 'node:fs';
import { vectorDocument } from '../src/testing/vectors.test-support.ts';

writeFileSync(new URL('../vectors/v1.json', import.meta.url), await vectorDocument());
