import { VectorlessError } from '@vectorless/sdk';

/** The error with which `call` fails; anything but a VectorlessError is a defect of the SDK. */
export async function failureOf(call: Promise<unknown>): Promise<VectorlessError> {
  const outcome = await call.then(
    (value) => new Error(`expected a failure, got ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
  if (outcome instanceof VectorlessError) return outcome;
  throw outcome;
}
