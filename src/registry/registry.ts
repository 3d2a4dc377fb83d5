import type { Caller } from '../tools/caller.ts';
import { documentsToolset } from '../tools/documents/toolset.ts';
import type { Binding, OpenContext, Toolset } from '../tools/toolset.ts';
import { vectorsToolset } from '../tools/vectors/toolset.ts';
import { restrict, unknownTools } from './policy.ts';

/** Every toolset of the product, in the order in which its tools are listed. */
const toolsets: readonly Toolset[] = [documentsToolset, vectorsToolset];

/** Every tool, resource and prompt that this process serves, the same for every transport. */
export interface Registry {
  /** What this caller may use. Cheap: over HTTP it runs for every request. */
  bind(caller: Caller): Binding;
  close(): Promise<void>;
}

/** Opens the chosen toolsets. Unknown names in `VECTORLESS_TOOLSETS` are warned about and skipped. */
export async function openRegistry(
  context: OpenContext,
  available: readonly Toolset[] = toolsets,
): Promise<Registry> {
  const { config, log } = context;
  const wanted = config.toolsets.length > 0 ? config.toolsets : ['documents'];
  for (const name of wanted.filter((name) => !available.some((toolset) => toolset.name === name))) {
    log.warn('unknown_toolset', { name, known: available.map((toolset) => toolset.name).join(', ') });
  }
  const chosen = available.filter((toolset) => wanted.includes(toolset.name));
  const open = await Promise.all(chosen.map((toolset) => toolset.open(context)));
  let checked = config.tools.length === 0;
  return {
    bind(caller) {
      const bindings = open.map((toolset) => toolset.bind(caller));
      if (!checked) {
        checked = true;
        for (const { name, nearest } of unknownTools(
          config.tools,
          bindings.flatMap((binding) => binding.tools),
        )) {
          log.warn('unknown_tool', { name, nearest });
        }
      }
      return merge(bindings.map((binding) => restrict(binding, config, caller.grants)));
    },
    async close() {
      await Promise.all(open.map((toolset) => toolset.close?.()));
    },
  };
}

function merge(bindings: readonly Binding[]): Binding {
  return {
    instructions: bindings.map((binding) => binding.instructions).join('\n\n'),
    tools: bindings.flatMap((binding) => binding.tools),
    resources: bindings.flatMap((binding) => binding.resources),
    prompts: bindings.flatMap((binding) => binding.prompts),
    receiveUpload: bindings.find((binding) => binding.receiveUpload !== undefined)?.receiveUpload,
  };
}
