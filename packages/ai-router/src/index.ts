export type * from './attempt.ts';
export type * from './json.ts';
export type * from './operation.ts';
export type * from './providers/adapter.ts';
export * from './providers/errors.ts';
export * from './providers/provider.ts';
export type * from './surfaces/surface.ts';
export type * from './transport.ts';
export type * from './usage.ts';
