// Steps of a check that goes on when one of them fails, a line each.

let failures = 0;
let passed = 0;
let skipped = 0;

/** `run` throws when it is not as it should be; what it returns is printed beside the name. */
export function step(name, run) {
  const started = Date.now();
  try {
    const said = run() ?? '';
    passed += 1;
    console.log(`ok      ${name}${said && `: ${said}`} (${Date.now() - started} ms)`);
  } catch (error) {
    failures += 1;
    console.log(`FAILED  ${name}: ${error.message}`);
  }
}

/** A step without which the others make no sense. */
export function need(name, run) {
  step(name, run);
  if (failures > 0) process.exit(1);
}

export function skip(name, why) {
  skipped += 1;
  console.log(`skipped ${name}: ${why}`);
}

/** The closing line, and the exit code. */
export function finish() {
  console.log(`${passed} passed, ${failures} failed, ${skipped} skipped`);
  process.exitCode = failures > 0 ? 1 : 0;
}
