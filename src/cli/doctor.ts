import type { Surroundings } from './terminal.ts';
export const doctor = async (_: readonly string[], __: Surroundings) => 0;
