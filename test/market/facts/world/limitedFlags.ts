import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Each of these fails once. */
const rules = [
  { endpoint: "refunds", kind: "server-error", status: 502, at: [1] },
  { endpoint: "game", kind: "server-error", status: 500, at: [1] },
  { endpoint: "games", kind: "server-error", status: 503, at: [1] }
]

/** What the second sandbox is started with: the limits of the service, and requests that fail. */
export const limitedFlags = (): ReadonlyArray<string> => {
  const folder = mkdtempSync(join(tmpdir(), "facts-"))
  const file = join(folder, "faults.json")
  writeFileSync(file, JSON.stringify({ rules }))
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }))
  return ["--rate", "60", "--faults", file]
}
