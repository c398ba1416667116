import { registerHooks } from "node:module"
import { fileURLToPath, pathToFileURL } from "node:url"
import { join } from "node:path"
import { readFileSync } from "node:fs"
import { plantedBugs } from "./plantedBugs.ts"

const root = join(import.meta.dirname, "../..")
const source = pathToFileURL(join(root, "src/")).href
const own = (name: string): string => pathToFileURL(join(import.meta.dirname, name)).href

/** What the code under test gets instead of a package: the edge to the world outside. */
const packages: Readonly<Record<string, string>> = {
  "@aws-sdk/client-s3": own("bucket/client.ts"),
  "@aws-sdk/lib-storage": own("bucket/client.ts"),
  "node:timers/promises": own("machine/nodeTimers.ts")
}

/** Modules of which the protocol level has its own: they compute contents by DuckDB. */
const modules: Readonly<Record<string, string>> = {
  "store/diff/diffSnapshots.ts": own("small/diffSnapshots.ts"),
  "night/run/readGame.ts": own("small/readGame.ts"),
  "night/run/gamesOfNight.ts": own("small/gamesOfNight.ts")
}

/** Tables that a snapshot of small values does without: one of each kind is enough. */
const fewerTables = {
  file: "feed/schema/snapshotTables.ts",
  without: ["games", "translations", "source_price_conditions", "marketplace_price_conditions", "refusals"]
}

/** Plants a bug in the code under `src`, and replaces its edges where it runs in a world of the simulation. */
export const installHooks = ({ bug, hasWorld }: { readonly bug: string | null; readonly hasWorld: boolean }): void => {
  const planted = bug === null ? null : plantedBugs[bug]
  if (planted === undefined)
    throw new Error(`no bug is called ${bug}; there are ${Object.keys(plantedBugs).join(", ")}`)
  registerHooks({
    resolve: (specifier, context, next) => {
      const isSource = hasWorld && context.parentURL?.startsWith(source) === true
      const isExpensive = isSource && context.parentURL?.endsWith("/keyDocument.ts") && specifier === "node:crypto"
      const instead = isExpensive ? own("machine/nodeCrypto.ts") : isSource ? packages[specifier] : undefined
      if (instead !== undefined) return { url: instead, shortCircuit: true }
      const found = next(specifier, context)
      const small = found.url.startsWith(source) ? modules[found.url.slice(source.length)] : undefined
      return isSource && small !== undefined ? { url: small, shortCircuit: true } : found
    },
    load: (url, context, next) => {
      const changes = planted?.edits.filter(({ file }) => url === source + file) ?? []
      const without = hasWorld && url === source + fewerTables.file ? fewerTables.without : []
      if (changes.length + without.length === 0) return next(url, context)
      let text = readFileSync(fileURLToPath(url), "utf8")
      for (const { file, find, replace } of changes) {
        if (text.split(find).length !== 2) throw new Error(`the planted bug ${bug} does not fit ${file} any more`)
        text = text.replace(find, () => replace)
      }
      for (const table of without) text = text.replace(`  "${table}",\n`, "")
      return { format: "module-typescript", source: text, shortCircuit: true }
    }
  })
}
