import type { Access, BoundTool } from '../tools/tool.ts';
import type { Binding, Offer } from '../tools/toolset.ts';

/** What the person who runs the server allows. */
export interface Policy {
  readonly readOnly: boolean;
  /** `VECTORLESS_TOOLS`: names with or without the toolset's prefix, or `all`; empty means each toolset's defaults. */
  readonly tools: readonly string[];
}

/**
 * Takes away what neither the server's owner nor the caller's grants allow. Order: owner's choice of tools,
 * read-only, the caller's grants. A resource goes with the last tool that would reach the same data.
 */
export function restrict(binding: Binding, policy: Policy, grants: ReadonlySet<Access>): Binding {
  const published = offerTo(policy, grants)(binding.tools, binding.defaultTools);
  const tools = binding.tools.filter((tool) => published.has(tool.name));
  const { receiveUpload, ...rest } = binding;
  return {
    ...rest,
    tools,
    resources: binding.resources.filter((resource) => resource.reachedBy.some((name) => published.has(name))),
    prompts: binding.prompts.filter((prompt) => prompt.needs.every((name) => published.has(name))),
    ...(receiveUpload !== undefined && published.has(receiveUpload.tool) && { receiveUpload }),
  };
}

/** What is left of a toolset's tools, by name. */
export function offerTo({ tools: chosen, readOnly }: Policy, grants: ReadonlySet<Access>): Offer {
  return (tools, defaults) => {
    const left = tools.filter(
      (tool) =>
        isChosen(tool, chosen, defaults) && (!readOnly || tool.access === 'read') && grants.has(tool.access),
    );
    return new Set(left.map((tool) => tool.name));
  };
}

function isChosen(
  tool: Pick<BoundTool, 'name'>,
  names: readonly string[],
  defaults: readonly string[] | undefined,
): boolean {
  if (names.length === 0) return defaults?.includes(tool.name) ?? true;
  return names.some((name) => name === 'all' || name === tool.name || name === withoutPrefix(tool.name));
}

/** Names in `VECTORLESS_TOOLS` that no tool has, each with the nearest that exists. */
export function unknownTools(
  names: readonly string[],
  tools: readonly string[],
): readonly { readonly name: string; readonly nearest: string | undefined }[] {
  const known = tools.flatMap((name) => [name, withoutPrefix(name)]);
  return names
    .filter((name) => name !== 'all' && !known.includes(name))
    .map((name) => ({ name, nearest: known.find((other) => other.includes(name) || name.includes(other)) }));
}

function withoutPrefix(name: string): string {
  return name.slice(name.indexOf('_') + 1);
}
