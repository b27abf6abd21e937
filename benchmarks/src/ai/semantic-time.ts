import { orderTargets, readModelRoute } from '@portcullis/ai-router';

const prompts = [
  'Write a Python function that sorts a list of tuples',
  'How do I cook rice without burning it?',
  'Translate this letter to French, please',
  'What is the capital of Australia and how many people live there?',
];

/** Microseconds that choosing a target by meaning takes for a short prompt: the median of so many runs. */
export function semanticMicroseconds(runs = 21, callsPerRun = 2000): number {
  const route = readModelRoute('bench', {
    strategy: 'semantic',
    targets: [
      { provider: 'a', model: 'code', hints: ['write code', 'fix this function', 'python javascript programming'] },
      { provider: 'a', model: 'kitchen', hints: ['recipes and cooking', 'what to eat'] },
      { provider: 'a', model: 'words', hints: ['translate a text', 'languages, grammar'] },
      { provider: 'a', model: 'rest', keywords: ['facts', 'geography', 'history'] },
    ],
  });
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const startMs = performance.now();
    for (let call = 0; call < callsPerRun; call += 1) {
      const promptText = prompts[call % prompts.length] ?? '';
      orderTargets(route, { model: 'bench', stream: false, promptText: () => promptText });
    }
    times.push(((performance.now() - startMs) * 1000) / callsPerRun);
  }
  return times.toSorted((left, right) => left - right)[Math.floor(runs / 2)] ?? 0;
}
