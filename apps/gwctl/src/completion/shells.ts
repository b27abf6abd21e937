/** Shells that completion scripts are made for. */
export const shells = ['bash', 'zsh', 'fish'] as const;

/** See {@link shells}. */
export type Shell = (typeof shells)[number];
