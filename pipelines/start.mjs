#!/usr/bin/env node
// Plain JavaScript, which every Node reads: where the program cannot run, one sentence says why.
const needed = 24
const folder = decodeURIComponent(new URL("..", import.meta.url).pathname)

/** @param {string} sentence */
const fail = (sentence) => {
  process.stderr.write(`cardlake: ${sentence}\n`)
  process.exitCode = 1
}

if (Number(process.versions.node.split(".")[0]) < needed) {
  fail(
    `It needs Node ${needed} or newer, and this is Node ${process.versions.node}. Run it with a newer one, or run npm ci --include=dev in ${folder}, which brings Node ${needed}, and then: npx cardlake`
  )
} else {
  import("./start.ts").catch((cause) => {
    if (cause.code !== "ERR_MODULE_NOT_FOUND") throw cause
    fail(`Its dependencies are not installed. Run npm ci in ${folder}, then this again`)
  })
}
