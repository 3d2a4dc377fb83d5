export type { Documents, Sections, VectorlessClient, VectorlessOptions } from './client.ts';
export type { DocumentsApi } from './documents.ts';
export { VectorlessError, type VectorlessErrorCode, type VectorlessErrorInit } from './errors.ts';
export type * from './types.ts';
export { Vectorless } from './vectorless.ts';
