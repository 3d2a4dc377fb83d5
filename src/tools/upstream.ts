import { Vectorless } from '@vectorless/sdk';
import type { OpenContext } from './toolset.ts';

/** A client of the API that the server is set up for. `instead` answers in place of the network. */
export function upstreamClient(
  { config, upstream }: Pick<OpenContext, 'config' | 'upstream'>,
  apiKey: string | undefined,
  instead?: (request: Request) => Promise<Response>,
): Vectorless {
  return new Vectorless({
    apiKey,
    baseUrl: config.apiUrl,
    org: config.org,
    store: config.store,
    allowHttp: config.allowHttp,
    fetch: upstream ?? instead,
  });
}
