// The product's own tool list, so that every server lists the same.
import { readFileSync } from 'node:fs';

export const toolDefinitions = JSON.parse(readFileSync(process.env.BENCH_TOOLS, 'utf8'));
