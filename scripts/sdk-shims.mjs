// Stands in for the MCP SDK's runtime shims so that its JSON Schema validator (ajv, 150 kB) stays out of the
// bundle. The SDK needs a validator only for elicitation, which this server never asks for.
export const { process } = globalThis;

export class DefaultJsonSchemaValidator {
  getValidator() {
    throw new Error('elicitation is not supported by this server');
  }
}
