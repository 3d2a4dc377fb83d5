import type { Log } from '../log.ts';
import type { Caller } from '../tools/caller.ts';
import { documentsToolset } from '../tools/documents/toolset.ts';
import type { Binding, OpenContext, Toolset } from '../tools/toolset.ts';
import { vectorsToolset } from '../tools/vectors/toolset.ts';
import { offerTo, type Policy, restrict, unknownTools } from './policy.ts';

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
  const known = available.map((toolset) => toolset.name);
  for (const name of config.toolsets.filter((name) => !known.includes(name))) {
    log.warn('unknown_toolset', { name, known: known.join(', ') });
  }
  const named = available.filter((toolset) => config.toolsets.includes(toolset.name));
  const chosen = named.length > 0 ? named : available.filter((toolset) => toolset.name === 'documents');
  const open = await Promise.all(chosen.map((toolset) => toolset.open(context)));
  let checked: Policy | undefined;
  return {
    bind(caller) {
      const bindAll = (policy: Policy) =>
        open.map((toolset) => toolset.bind(caller, offerTo(policy, caller.grants)));
      checked ??= config.tools.length === 0 ? config : checkedPolicy(config, bindAll(config), log);
      const policy = checked;
      return merge(bindAll(policy).map((binding) => restrict(binding, policy, caller.grants)));
    },
    async close() {
      await Promise.all(open.map((toolset) => toolset.close?.()));
    },
  };
}

/** Warns about names of tools that do not exist. Nonsense alone counts as unset: a server without tools explains nothing. */
function checkedPolicy(policy: Policy, bindings: readonly Binding[], log: Log): Policy {
  const known = bindings.flatMap(({ tools, absentTools = [] }) => [
    ...tools.map(({ name }) => name),
    ...absentTools,
  ]);
  const unknown = unknownTools(policy.tools, known);
  for (const { name, nearest } of unknown) log.warn('unknown_tool', { name, nearest });
  if (unknown.length < policy.tools.length) return policy;
  log.warn('no_known_tool', { setting: 'VECTORLESS_TOOLS', used: 'the default tools' });
  return { ...policy, tools: [] };
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
