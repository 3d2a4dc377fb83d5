/** Tools that answer with questions of their own first, as revision 2026-07-28 lets them. */
import {
  acceptedContent,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';

type Mint = (state: { round: number }) => string | Promise<string>;
type Run = (
  context: ServerContext,
) => Promise<CallToolResult | InputRequiredResult> | CallToolResult | InputRequiredResult;
type Requests = NonNullable<Parameters<typeof inputRequired>[0]['inputRequests']>;

const say = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });

const ask = (message: string, field: string) =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [field]: { type: 'string' } }, required: [field] },
  });
const sample = (text: string, maxTokens: number) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens });

const has = ({ mcpReq }: ServerContext, key: string) =>
  inputResponse(mcpReq.inputResponses, key).kind !== 'missing';
const nameOf = ({ mcpReq }: ServerContext, key: string, field: string) =>
  acceptedContent<Record<string, string>>(mcpReq.inputResponses, key)?.[field];

/** What the client says it can do, in the envelope of this one request. */
function capabilitiesOf({ envelope }: ServerContext['mcpReq']): object {
  const stated = new Map<string, unknown>(Object.entries(envelope ?? {})).get(CLIENT_CAPABILITIES_META_KEY);
  return typeof stated === 'object' && stated !== null ? stated : {};
}

export function publishInputTools(server: McpServer, mint: Mint): void {
  const register = (name: string, run: Run) =>
    server.registerTool(`test_${name}`, { description: `Runs ${name}.` }, run);
  const inputs = (inputRequests: Requests) => inputRequired({ inputRequests });

  register('input_required_result_elicitation', (context) => {
    const name = nameOf(context, 'user_name', 'name');
    return name === undefined
      ? inputs({ user_name: ask('What is your name?', 'name') })
      : say(`Hello, ${name}!`);
  });
  register('streaming_elicitation', (context) =>
    has(context, 'user_name') ? say('Thank you.') : inputs({ user_name: ask('What is your name?', 'name') }),
  );
  register('input_required_result_sampling', ({ mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, 'capital_question');
    if (answer.kind !== 'sampling')
      return inputs({ capital_question: sample('What is the capital of France?', 100) });
    return say(JSON.stringify(answer.result.content));
  });
  register('input_required_result_list_roots', ({ mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, 'client_roots');
    if (answer.kind !== 'roots') return inputs({ client_roots: inputRequired.listRoots() });
    return say(answer.roots.map(({ uri }) => uri).join(', '));
  });
  // The SDK refuses to ask a client for what it did not say it can do.
  register('missing_capability', (context) =>
    has(context, 'greeting') ? say('The capability is there.') : inputs({ greeting: sample('Hello', 50) }),
  );
  register('input_required_result_capabilities', ({ mcpReq }) => {
    const can = capabilitiesOf(mcpReq);
    return inputs({
      ...('elicitation' in can && { name: ask('What is your name?', 'name') }),
      ...('sampling' in can && { greeting: sample('Generate a greeting', 50) }),
    });
  });

  const confirm = {
    confirm: inputRequired.elicit({
      message: 'Please confirm',
      requestedSchema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] },
    }),
  };
  for (const name of ['input_required_result_request_state', 'input_required_result_tampered_state']) {
    register(name, async (context) => {
      const state = context.mcpReq.requestState<{ round: number }>();
      if (state === undefined || !has(context, 'confirm')) {
        return inputRequired({ inputRequests: confirm, requestState: await mint({ round: 1 }) });
      }
      return say('state-ok');
    });
  }
  register('input_required_result_multiple_inputs', async (context) => {
    if (['user_name', 'greeting', 'client_roots'].every((key) => has(context, key))) return say('All there.');
    const inputRequests = {
      user_name: ask('What is your name?', 'name'),
      greeting: sample('Generate a greeting', 50),
      client_roots: inputRequired.listRoots(),
    };
    return inputRequired({ inputRequests, requestState: await mint({ round: 1 }) });
  });
  register('input_required_result_multi_round', async (context) => {
    const round = context.mcpReq.requestState<{ round: number }>()?.round ?? 0;
    if (round === 2 && has(context, 'step2')) return say('Both answered.');
    const inputRequests =
      round === 1 && has(context, 'step1')
        ? { step2: ask('Step 2: What is your favorite color?', 'color') }
        : { step1: ask('Step 1: What is your name?', 'name') };
    return inputRequired({
      inputRequests,
      requestState: await mint({ round: 'step2' in inputRequests ? 2 : 1 }),
    });
  });

  server.registerPrompt('test_input_required_result_prompt', { description: 'Asks first.' }, (context) => {
    const given = nameOf(context, 'user_context', 'context');
    if (given === undefined)
      return inputs({ user_context: ask('What context should the prompt use?', 'context') });
    return { messages: [{ role: 'user', content: { type: 'text', text: `Use this context: ${given}` } }] };
  });
}
