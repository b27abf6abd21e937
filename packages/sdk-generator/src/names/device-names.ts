/** What Windows takes for a device, whatever the case and whatever stands behind a dot: no file can be called so. */
export const deviceNames: readonly string[] = [
  ...['con', 'prn', 'aux', 'nul'],
  ...['com', 'lpt'].flatMap((port) => Array.from({ length: 9 }, (_, index) => `${port}${index + 1}`)),
];
