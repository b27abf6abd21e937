/** A period whose burn rate is told beside that of the whole window. */
export type BurnRateWindow = '5m' | '30m' | '1h' | '6h' | '1d' | '3d';

/** Lengths of the periods, in minutes. */
export const burnRateWindowMinutes: Readonly<Record<BurnRateWindow, number>> = {
  '5m': 5,
  '30m': 30,
  '1h': 60,
  '6h': 360,
  '1d': 1440,
  '3d': 4320,
};

/** All periods, the shortest first. */
export const burnRateWindows: readonly BurnRateWindow[] = ['5m', '30m', '1h', '6h', '1d', '3d'];
