export type { Documents, Sections, VectorlessClient, VectorlessOptions } from './client.ts';
export { VectorlessError, type VectorlessErrorCode, type VectorlessErrorInit } from './errors.ts';
export type * from './types.ts';
