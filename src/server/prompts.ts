import { completable, type McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { BoundPrompt } from '../tools/toolset.ts';
import { completers, type Surroundings } from './completers.ts';

export function publishPrompt(server: McpServer, prompt: BoundPrompt, around: Surroundings): void {
  const complete = completers(prompt.complete, around);
  const fields = prompt.arguments.map(({ name, description, required }) => {
    const text = z.string().describe(description);
    const callback = complete[name];
    const field = callback === undefined ? text : completable(text, callback);
    return [name, required ? field : field.optional()] as const;
  });
  server.registerPrompt(
    prompt.name,
    {
      title: prompt.title,
      description: prompt.description,
      argsSchema: z.object(Object.fromEntries(fields)),
    },
    (args) => ({
      messages: [{ role: 'user', content: { type: 'text', text: prompt.render(asText(args)) } }],
    }),
  );
}

function asText(args: Readonly<Record<string, unknown>>): Record<string, string> {
  const given = Object.entries(args).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return Object.fromEntries(given);
}
