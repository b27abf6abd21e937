import type { HeaderEdit } from '@portcullis/plugin-runtime';
import type { Judgement } from './judgement.ts';

/** Characters of a verdict that a header tells. */
const VERDICT_LENGTH_MAX = 64;

/** Headers that tell the client of a judgement. What the upstream itself says there does not count. */
export function judgementHeaders({ passes, verdict, score }: Judgement): readonly HeaderEdit[] {
  return [
    { op: 'set', name: 'x-gateway-ai-judge', value: passes ? 'passed' : 'failed' },
    told('x-gateway-ai-judge-verdict', verdict?.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, VERDICT_LENGTH_MAX)),
    told('x-gateway-ai-judge-score', score === undefined ? undefined : String(score)),
  ];
}

function told(name: string, value: string | undefined): HeaderEdit {
  return value === undefined ? { op: 'remove', name } : { op: 'set', name, value };
}
