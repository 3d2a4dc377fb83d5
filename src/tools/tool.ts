import type { z } from 'zod';

export { Refusal } from '../refusal.ts';

/** What a tool does to the user's data; annotations, read-only filtering and scopes all derive from it. */
export type Access = 'read' | 'write' | 'delete';

export interface ProgressUpdate {
  /** Strictly increasing within a call. */
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** What one call gets beside its arguments. */
export interface Call {
  /** Aborts when the client cancels or goes away, and when the deadline has passed. */
  readonly signal: AbortSignal;
  /** `Date.now()` by which the call must have answered with what it has. */
  readonly deadline: number;
  /** Present when the client asked for progress. */
  readonly progress?: ((update: ProgressUpdate) => void) | undefined;
}

export interface ToolSpec<Service, Input extends z.ZodObject, Output extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly access: Access;
  /** A `write` that replaces what was there, where others only add. */
  readonly overwrites?: true;
  /** Whether it touches what lies beyond the user's own data: addresses on the web. */
  reachesOut?(service: Service): boolean;
  /** The prompt that teaches an agent when to call: first sentence = when, then what comes back and what next. */
  readonly description: string | ((service: Service) => string);
  readonly input: Input;
  readonly output: Output;
  /** Arguments of a call that works, shown when a call cannot be repaired. */
  readonly example: z.input<Input> | ((service: Service) => z.input<Input>);
  /** Other names that models use for an argument: alias → argument. camelCase forms need no entry. */
  readonly aliases?: Readonly<Record<string, Extract<keyof z.input<Input>, string>>>;
  /** Arguments that `run` judges itself, however they come: they are not repaired. */
  readonly asGiven?: readonly Extract<keyof z.input<Input>, string>[];
  /** Arguments that do not exist for this service: left out of the schema and refused. */
  hides?(service: Service): readonly Extract<keyof z.input<Input>, string>[];
  run(args: z.output<Input>, call: Call & { readonly service: Service }): Promise<z.output<Output>>;
  /** How the text of an error is written where callers were promised a form; the sentence itself otherwise. */
  errorText?(sentence: string): string;
  /** The text for the model; `output` itself becomes structured content. */
  render(output: z.output<Output>, service: Service, args: z.output<Input>): string;
}

/** A tool of a toolset, its schema types sealed inside. */
export interface Tool<Service> {
  readonly name: string;
  readonly access: Access;
  bind(service: Service): BoundTool;
}

/** A tool that knows its service: all that the registry and the server need. */
export interface BoundTool {
  readonly name: string;
  readonly title: string;
  readonly access: Access;
  /** Something of the user's may be gone after a call. */
  readonly isDestructive: boolean;
  readonly reachesOut: boolean;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  readonly example: Readonly<Record<string, unknown>>;
  readonly aliases: Readonly<Record<string, string>>;
  /** Arguments that are passed on as they come. */
  readonly asGiven: readonly string[];
  /** Arguments of `input` that are not published. */
  readonly hidden: readonly string[];
  errorText(sentence: string): string;
  /** `args` must be the output of `input`. */
  run(args: Record<string, unknown>, call: Call): Promise<ToolResult>;
}

export interface ToolResult {
  readonly structured: Record<string, unknown>;
  readonly text: string;
}

/** Declares a tool. Curried, so that the service is named and the schemas are inferred. */
export const tool =
  <Service>() =>
  <Input extends z.ZodObject, Output extends z.ZodObject>(
    spec: ToolSpec<Service, Input, Output>,
  ): Tool<Service> => ({
    name: spec.name,
    access: spec.access,
    bind: (service) => ({
      name: spec.name,
      title: spec.title,
      access: spec.access,
      isDestructive: spec.access === 'delete' || spec.overwrites === true,
      reachesOut: spec.reachesOut?.(service) ?? false,
      description: typeof spec.description === 'string' ? spec.description : spec.description(service),
      input: spec.input,
      output: spec.output,
      example: typeof spec.example === 'function' ? spec.example(service) : spec.example,
      aliases: spec.aliases ?? {},
      asGiven: spec.asGiven ?? [],
      hidden: spec.hides?.(service) ?? [],
      errorText: (sentence) => spec.errorText?.(sentence) ?? sentence,
      async run(args, call) {
        const input = args as z.output<Input>;
        const output = await spec.run(input, { ...call, service });
        return { structured: output, text: spec.render(output, service, input) };
      },
    }),
  });
