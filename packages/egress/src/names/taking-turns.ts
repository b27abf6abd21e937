/** A look-up of which few run at a time, first come first. @param lookup what is to be asked */
export function takingTurns<Answer>(
  lookup: (name: string) => Promise<Answer>,
  atOnceMax: number,
): (name: string) => Promise<Answer> {
  const waiting: (() => void)[] = [];
  let underWay = 0;
  return async (name) => {
    if (underWay >= atOnceMax) await new Promise<void>((resolve) => waiting.push(resolve));
    else underWay += 1;
    try {
      return await lookup(name);
    } finally {
      // Who waits takes the place over.
      const next = waiting.shift();
      if (next === undefined) underWay -= 1;
      else next();
    }
  };
}
