/**
 * What the expressions of one look-up may cost: instructions times characters, of all that are run. An engine with linear time
 * takes up to some 30 nanoseconds for each, so a tenth of a second at most. A thousand expressions of thirty instructions
 * may be asked for a path of a hundred characters.
 */
export const lookUpCostMax = 3_000_000;

/**
 * A look-up would run expressions for longer than a request may hold up others. It has no result: a route that was not asked
 * might have been the one.
 */
export class LookUpCostError extends Error {
  override readonly name = 'LookUpCostError';
  /** Whether the route was found, and only the explanation goes too far. */
  readonly isExplaining: boolean;

  constructor(isExplaining: boolean) {
    super('the path is too long for the regular expressions that it would have to be matched with');
    this.isExplaining = isExplaining;
  }
}
