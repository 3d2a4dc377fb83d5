import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import { loadConfig } from '../../../src/config.ts';
import { openRegistry } from '../../../src/registry/registry.ts';
import { createServer } from '../../../src/server/server.ts';
import { type Caller, localCaller } from '../../../src/tools/caller.ts';
import { connectInMemory, textOf } from '../../support/connect.ts';
import { silentLog } from '../../support/documents.ts';

export interface Vectors {
  readonly client: Client;
  /** The structured result of a call that must succeed. */
  call(name: string, args: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** The text of a call that must fail. */
  fail(name: string, args: Record<string, unknown>): Promise<string>;
  result(name: string, args: Record<string, unknown>): Promise<CallToolResult>;
  /** Another caller of the same process. */
  as(caller: Partial<Caller>): Promise<Vectors>;
}

/** A real MCP client in front of a server with nothing but the vectors toolset, set up by environment variables. */
export async function connectVectors(env: Record<string, string> = {}): Promise<Vectors> {
  const config = loadConfig([], { VECTORLESS_TOOLSETS: 'vectors', ...env });
  const registry = await openRegistry({ config, log: silentLog });
  const connect = async (caller: Caller): Promise<Vectors> => {
    const client = await connectInMemory(createServer({ registry, caller, log: silentLog }));
    const result = async (name: string, args: Record<string, unknown>) =>
      (await client.callTool({ name, arguments: args })) as CallToolResult;
    return {
      ...{ client, result },
      async call(name, args) {
        const answer = await result(name, args);
        if (answer.isError || answer.structuredContent === undefined) throw new Error(textOf(answer));
        return answer.structuredContent as Record<string, unknown>;
      },
      async fail(name, args) {
        const answer = await result(name, args);
        if (!answer.isError) throw new Error(`not refused: ${textOf(answer)}`);
        return textOf(answer);
      },
      as: (other) => connect({ ...localCaller, ...other }),
    };
  };
  return connect(localCaller);
}
