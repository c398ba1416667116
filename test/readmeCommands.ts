import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { DuckDBInstance } from "@duckdb/node-api"
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { commandsOf, type Document, linesOf, printedBy } from "./documents.ts"
import { root } from "./pipelines/cli.ts"
import { readmeCheckout } from "./pipelines/readmeCheckout.ts"

const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  scripts: Readonly<Record<string, string>>
}

/** A reader's checkout, and what the commands printed there. */
export interface Checkout {
  readonly user: Awaited<ReturnType<typeof readmeCheckout>>
  readonly printed: Map<string, string>
}

/** Opens a lake for queries. */
export const openRows = async (file: string) => {
  const instance = await DuckDBInstance.create(file, { access_mode: "READ_ONLY" })
  const connection = await instance.connect()
  return {
    rows: async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJson(),
    close: () => {
      connection.closeSync()
      instance.closeSync()
    }
  }
}

/** The rows of one query. */
export const rowsOf = async (file: string, sql: string) => {
  const { close, rows } = await openRows(file)
  return rows(sql).finally(close)
}

/** A line without what differs from run to run: ports, run ids, seconds, blanks between columns. */
const settled = (line: string): string =>
  line
    .replaceAll(/127\.0\.0\.1:\d+/g, "ADDRESS")
    .replaceAll(/\d{8}T\d{9}Z-[0-9a-f]{4}/g, "RUN")
    .replaceAll(/\b\d+\.\d( s\b|$)/g, "SECONDS")
    .replaceAll(/ {2,}/g, "  ")
    .trimEnd()

/** Asserts that a command prints what a document shows, in order; `…` is what it leaves out. */
const assertPrinted = (shown: string, stdout: string): void => {
  const printed = stdout.split("\n").map(settled)
  let from = 0
  for (const line of linesOf(shown).filter((each) => each !== "…" && !/^[─ ]+$/.test(each))) {
    const at = printed.indexOf(settled(line), from)
    assert.isAtLeast(at, from, `it does not print: ${line}`)
    from = at + 1
  }
}

const hasCurl = spawnSync("curl", ["--version"]).status === 0

/** Commands that take too long for a test: npm has them, and they start what their name says. */
export const longCommands: Readonly<Record<string, () => void>> = {
  "npm test": () => assert.match(scripts["test"] ?? "", /^vitest run /),
  "npm run test:full": () => assert.strictEqual(scripts["test:full"], `${scripts["test"]} --mode full`),
  "npm run bench": () => assert.strictEqual(scripts["bench"], "node test/bench/main.ts"),
  "npm run bench:history": () => assert.strictEqual(scripts["bench:history"], "node test/bench/history.ts"),
  "npm run build && npm pack ./dist && npm install --global ./cardlake-*.tgz": () =>
    assert.strictEqual(scripts["build"], "node .ci/package/build.ts"),
  "npm run check": () => {
    for (const name of (scripts["check"] ?? "").matchAll(/npm run -s (\S+)/g)) assert.property(scripts, name[1] ?? "")
  }
}

/** Runs a command as a reader would; `printed` gets what it prints. */
const check = async ({ user, printed }: Checkout, command: string, shown: string | undefined): Promise<void> => {
  const long = longCommands[command]
  if (long !== undefined) return long()
  const [, name, value] = /^export (\w+)=(\S+)$/.exec(command) ?? []
  if (name !== undefined && value !== undefined) return user.export(name, user.here(value))
  const query = /^duckdb -readonly (\S+) "(.*)"$/.exec(command)
  if (query !== null) {
    assert.isAbove((await rowsOf(join(user.checkout, query[1] ?? ""), query[2] ?? "")).length, 0)
    return
  }
  const ended = await user.run(command)
  assert.strictEqual(ended.code, 0, ended.stdout + ended.stderr)
  printed.set(command, ended.stdout)
  if (shown !== undefined) assertPrinted(shown, ended.stdout)
}

/**
 * Tests that run the commands of documents in one checkout, in the order a stranger reads them: all, or those of the
 * demo alone that are chosen.
 */
export const runCommandsOf = (
  documents: ReadonlyArray<Document>,
  isChosen?: (command: string) => boolean
): (() => Checkout) => {
  let checkout: Checkout
  beforeAll(async () => {
    checkout = { user: await readmeCheckout(isChosen === undefined), printed: new Map() }
  }, 120_000)
  afterAll(() => checkout.user.stop())

  describe.each(documents.filter((each) => commandsOf(each, "sh").length > 0))("in $path", (each) => {
    const shown = printedBy(each)
    afterAll(() => checkout.user.forget("CARDLAKE_HOME"))

    for (const command of commandsOf(each, "sh").filter(isChosen ?? (() => true))) {
      it.skipIf(command.startsWith("curl ") && !hasCurl)(`works: ${command}`, () =>
        check(checkout, command, shown.get(command))
      )
    }
  })
  return () => checkout
}
