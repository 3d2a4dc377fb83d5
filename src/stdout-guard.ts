/**
 * The one way to the real stdout. Imported first, this keeps stdout for the protocol: whatever else is printed,
 * `console.log` in a dependency included, goes to stderr.
 */
export const protocolWrite: typeof process.stdout.write = process.stdout.write.bind(process.stdout);

process.stdout.write = process.stderr.write.bind(process.stderr);

// A client that closes our stderr must not take the server down with it.
process.stderr.on('error', () => {});
