import manifest from '../package.json' with { type: 'json' };

/** Version of this product, as published. */
export const version: string = manifest.version;
