import { cpSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { wideModel } from '../testing/wide-model.test-support.ts';
import { wideOutcomes } from '../testing/wide-outcomes.test-support.ts';
import { startWideServer } from '../testing/wide-server.test-support.ts';
import { writeFiles, outputOf } from '../testing/target-files.test-support.ts';
import { java } from './index.ts';
import { classPath, compile, hasJava } from './javac.test-support.ts';

const options = { packageName: 'com.acme.wide', packageVersion: '1.2.0', generatorVersion: '0.1.0' };
const wide = java.generate(wideModel, options);

describe('the Java target', () => {
  it.skipIf(!hasJava)(
    'makes a client that calls, reads and refuses as described (needs javac and Jackson)',
    async () => {
      await using folder = await temporaryFolder();
      await using server = await startWideServer();
      writeFiles(folder.path, wide);
      cpSync(fileURLToPath(new URL('testdata/Drive.java', import.meta.url)), folder.join('src/main/java/Drive.java'));
      expect(await compile(folder.path)).toBe('');
      const output = await outputOf(folder.path, 'java', [
        '-Xshare:auto',
        '-XX:TieredStopAtLevel=1',
        '-cp',
        classPath,
        'Drive',
        server.url,
      ]);
      expect(output).toMatch(/^\{.*\}\n$/);
      expect(JSON.parse(output)).toEqual({
        ...wideOutcomes,
        broken: 'GET /broken: /1/children/0/id must be an integer of 64 bits',
        noJson: 'GET /text: the answer is not JSON',
      });
    },
  );
});
