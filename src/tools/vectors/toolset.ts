import type { OpenContext, OpenToolset, Toolset } from '../toolset.ts';

/** Off unless `VECTORLESS_TOOLSETS` names it; nothing of it is loaded before. */
export const vectorsToolset: Toolset = {
  name: 'vectors',
  async open(context): Promise<OpenToolset> {
    const [{ bindVectors }, { createKeyCheck }] = await Promise.all([
      import('./bind.ts'),
      import('./key-check.ts'),
    ]);
    const check = createKeyCheck(context);
    const stores = await openStores(context);
    const { vectorMetric: metric, maxResultTokens } = context.config;
    return {
      bind: (caller) =>
        bindVectors({
          stores: stores.of(caller.owner ?? caller.id),
          admit: check(caller),
          ...{ metric, maxResultTokens },
        }),
      close: () => stores.close(),
    };
  },
};

async function openStores({ config, log }: OpenContext) {
  const { limitsFor, machineMemory } = await import('../../stores/vectors/limits.ts');
  const limits = limitsFor(machineMemory(), config.http);
  const metric = config.vectorMetric;
  if (config.vectorDir === undefined) {
    const { createMemoryStores } = await import('../../stores/vectors/memory-stores.ts');
    return createMemoryStores(metric, limits);
  }
  const { createDurableStores } = await import('../../stores/vectors/durable-stores.ts');
  const dir = config.vectorDir;
  return createDurableStores({ dir, metric, limits, warn: (event, fields) => log.warn(event, fields) });
}
