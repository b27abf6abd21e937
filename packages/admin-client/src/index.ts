export type { components as AdminComponents, paths as AdminPaths } from './api.gen.ts';
export { createAdminClient, defaultTimeoutMs } from './admin-client.ts';
export type { AdminAnswer, AdminClient, AdminClientOptions, AdminRequest, QueryValue } from './admin-client.ts';
export type { FetchPort } from './guarded-fetch.ts';
export { transportCodes } from './problem.ts';
export type { AdminProblem, ProblemField, TransportCode } from './problem.ts';
export { answerBytesMax } from './read-answer.ts';
export { AdminTransportError } from './transport-error.ts';
