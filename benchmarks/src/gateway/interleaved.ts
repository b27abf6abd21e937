/**
 * Measures every peer once in each repetition, in turning order, so that a drift of the machine favours none.
 * @param one measures a peer; repetitions count from 1
 */
export async function interleaved<Peer, Result>(
  repetitions: number,
  peers: readonly Peer[],
  one: (peer: Peer, repetition: number) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let repetition = 1; repetition <= repetitions; repetition += 1) {
    for (const peer of repetition % 2 === 1 ? peers : peers.toReversed()) results.push(await one(peer, repetition));
  }
  return results;
}
