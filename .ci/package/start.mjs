#!/usr/bin/env node
// Plain JavaScript, which every Node reads: where the program cannot run, one sentence says why.
const needed = [22, 19]
const [major, minor] = process.versions.node.split(".").map(Number)

// Node 22 calls its SQLite experimental; nobody who starts a command can do anything about it.
const { emitWarning } = process
process.emitWarning = (warning, ...rest) => {
  if (!String(warning).startsWith("SQLite is an experimental feature")) emitWarning.call(process, warning, ...rest)
}

if (major > needed[0] || (major === needed[0] && minor >= needed[1])) {
  import("./code/start.js")
} else {
  process.stderr.write(
    `cardlake: It needs Node ${needed.join(".")} or newer, and this is Node ${process.versions.node}. Run it with a newer one\n`
  )
  process.exitCode = 1
}
