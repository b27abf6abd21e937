import type { Command } from 'commander';
import { readContexts } from '../contexts/context-file.ts';
import { printData } from '../output/terminal.ts';
import { completionOf } from './candidates.ts';
import type { Candidate, NameSources } from './candidates.ts';

/** Answers a completion script. A shell shows nothing of what goes wrong, so nothing may. */
export async function complete(program: Command, words: readonly string[]): Promise<void> {
  const { candidates, files } = await completionOf(program, words, sources);
  const lines = candidates.map(({ value, description }) => `${value}\t${description}`);
  if (files) lines.push(':files');
  if (lines.length > 0) printData(lines.join('\n'));
}

const sources: NameSources = { entities, contexts };

async function entities(): Promise<readonly Candidate[]> {
  const [{ entityFamilies }, { entityNames }] = await Promise.all([
    import('@portcullis/resources'),
    import('../api/entities.ts'),
  ]);
  return entityFamilies.flatMap((family) =>
    entityNames(family)
      .slice(0, 2)
      .map((value, index) => ({ value, description: index === 0 ? 'records' : 'one record' })),
  );
}

function contexts(): readonly Candidate[] {
  return Object.entries(readContexts().contexts).map(([value, { api_url: description }]) => ({ value, description }));
}
