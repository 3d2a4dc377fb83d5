import type { Subject } from './subject.ts';

/** One sentence of the contract, and how to see whether a server keeps it. */
export interface Expectation {
  readonly says: string;
  /** Where it holds; everywhere when absent. */
  readonly only?: (subject: Subject) => boolean;
  check(subject: Subject): Promise<void>;
}
