// Stands in for `node:process` in the bundle.
module.exports = globalThis.process;
