import type { Caller } from '../tools/caller.ts';
import type { Binding } from '../tools/toolset.ts';

/** Every tool, resource and prompt of the product, for every transport. */
export interface Registry {
  /** What this caller may use. Cheap: over HTTP it runs for every request. */
  bind(caller: Caller): Binding;
  close(): Promise<void>;
}
