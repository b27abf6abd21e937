import { globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { parseDescription } from '@portcullis/openapi';
import { generateSdk, sdkTargets, type SdkTargetName } from '@portcullis/sdk-generator';
import { temporaryFolder } from '@portcullis/testkit';
import { unzipSync } from 'fflate';
import { CampaignFailure, OptionError, type Campaign, type Figures } from '../campaign.ts';
import { compilers, complaintOf, isThere } from './compilers.ts';

/** Descriptions of the default folder: the largest ones. */
const defaultCount = 3;

const examples = path.dirname(createRequire(import.meta.url).resolve('@readme/oas-examples/package.json'));

/** Libraries of large public descriptions in all languages, compiled by the tools of each. */
export const sdkDescriptions: Campaign = {
  name: 'sdk-descriptions',
  summary: 'client libraries of large descriptions in every language compile with its own tools',
  options: `  --descriptions FOLDER (default: the ${defaultCount} largest of @readme/oas-examples)
  --target NAME (default: all whose tools are installed: ${sdkTargets.join(', ')})`,
  run,
};

async function run(args: readonly string[]): Promise<Figures> {
  const { files, targets } = readOptions(args);
  const [present, absent] = [
    targets.filter((one) => isThere(compilers[one])),
    targets.filter((one) => !isThere(compilers[one])),
  ];
  if (absent.length > 0) console.log(`not installed: ${absent.join(', ')}`);
  const complaints: string[] = [];
  const refusals: string[] = [];
  let libraries = 0;
  for (const file of files) {
    const parsed = parseDescription(readFileSync(file, 'utf8'));
    if (!parsed.ok) throw new OptionError(`${file}:${parsed.error.line}: ${parsed.error.message}`);
    for (const target of present) {
      const generation = generateSdk(parsed.document, { target, baseUrl: 'https://api.example.com' });
      if (!generation.ok) {
        const [problem] = generation.problems;
        refusals.push(`${path.basename(file)}: ${problem?.pointer} ${problem?.message}`);
        break;
      }
      libraries += 1;
      // oxlint-disable-next-line no-await-in-loop -- compilers take all processors
      const complaint = await complaintOfArchive(generation.sdk.bytes, target);
      console.log(`${path.basename(file)}, ${target}: ${complaint ?? 'compiles'}`);
      if (complaint !== undefined) complaints.push(`${path.basename(file)}, ${target}`);
    }
  }
  for (const refusal of refusals) console.log(`refused: ${refusal}`);
  if (complaints.length > 0)
    throw new CampaignFailure(
      `do not compile:\n${complaints.join('\n')}`,
      [sdkDescriptions.name, ...(args.length === 0 ? [] : ['--', ...args])].join(' '),
    );
  return { descriptions: files.length, refused: refusals.length, libraries };
}

async function complaintOfArchive(bytes: Uint8Array, target: SdkTargetName): Promise<string | undefined> {
  await using folder = await temporaryFolder();
  const entries = Object.entries(unzipSync(bytes));
  for (const [name, content] of entries) {
    mkdirSync(path.dirname(folder.join(name)), { recursive: true });
    writeFileSync(folder.join(name), content);
  }
  return await complaintOf(compilers[target], folder.join(entries[0]?.[0].split('/')[0] ?? ''));
}

function readOptions(args: readonly string[]): { files: readonly string[]; targets: readonly SdkTargetName[] } {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { descriptions: { type: 'string' }, target: { type: 'string' } },
    });
    const targets = sdkTargets.filter((one) => values.target === undefined || one === values.target);
    if (targets.length === 0) throw new OptionError(`--target must be one of ${sdkTargets.join(', ')}`);
    const pattern = values.descriptions === undefined ? '{3.0,3.1}/json/**/*.json' : '**/*.{json,yaml,yml}';
    const cwd = values.descriptions ?? examples;
    const files = globSync(pattern, { cwd }).map((file) => path.join(cwd, file));
    if (files.length === 0) throw new OptionError(`--descriptions ${cwd}: there is no description`);
    if (values.descriptions !== undefined) return { files: files.toSorted(), targets };
    return { files: files.toSorted((a, b) => statSync(b).size - statSync(a).size).slice(0, defaultCount), targets };
  } catch (error) {
    throw error instanceof OptionError
      ? error
      : new OptionError(error instanceof Error ? error.message : String(error));
  }
}
