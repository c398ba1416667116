// `npm run build`: makes the package in `dist`, for `npm pack ./dist`. `-- --release` gives it the version of package.json,
// `-- --to FOLDER` puts it elsewhere.
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { billOfMaterials } from "./billOfMaterials.ts"
import { buildClient } from "./buildClient.ts"
import { buildVersion } from "./buildVersion.ts"
import { bundle, installed } from "./bundle.ts"
import { thirdParties, thirdPartyText } from "./thirdParty.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const { values: asked } = parseArgs({ options: { release: { type: "boolean" }, to: { type: "string" } } })
const dist = resolve(asked.to ?? join(root, "dist"))
const {
  bin,
  dependencies,
  description,
  license,
  name,
  version: released
} = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
const version = buildVersion(root, released, asked.release === true)

const filesBelow = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length).replaceAll("\\", "/"))

const programs = [
  "pipelines/start.ts",
  "src/feed/rows/threadProgram.ts",
  "src/night/run/loadTrial.ts",
  "src/desk/explorer/console/consoleProcess.ts"
]
const ofAssistant = ["data/DICTIONARY.md", "data/guide/questions.md"]
const assets = ["src", "data/sample", "pipelines/schedules"]
  .flatMap(filesBelow)
  .filter((file) => !/\.(ts|md|png)$/.test(file))
  .concat(ofAssistant)
const documents = ["README.md", "CHANGELOG.md", "data/README.md", "data/DICTIONARY.md", "pipelines/README.md"].concat(
  "src/market/README.md",
  ["data/guide", "pipelines/guide", "src/market/guide"].flatMap(filesBelow)
)
const ofClient = ["src/market/sdk/README.md", ...filesBelow("pipelines/examples")]

const put = (from: string, to: string): void => {
  mkdirSync(dirname(join(dist, to)), { recursive: true })
  cpSync(from, join(dist, to))
}
const write = (file: string, content: unknown): void =>
  writeFileSync(join(dist, file), typeof content === "string" ? content : `${JSON.stringify(content, null, 2)}\n`)

if (existsSync(dist) && readdirSync(dist).length > 0 && !existsSync(join(dist, "sbom.cdx.json"))) {
  console.error(
    `${dist} is not empty, and is no package that was built here. Name an empty folder with --to, or remove it`
  )
  process.exit(1)
}
rmSync(dist, { recursive: true, force: true })
const bundled = await bundle({ root, version, assets, programs }, dist)
await buildClient(root, dist)
for (const file of [...assets, ...documents, ...ofClient]) put(join(root, file), file)
put(join(root, ".ci/package/start.mjs"), "start.mjs")
chmodSync(join(dist, "start.mjs"), 0o755)

const parties = thirdParties(root, bundled)
const bundledNames = parties.map((party) => `${party.name}@${party.version}`)
write("THIRD-PARTY.txt", thirdPartyText(parties))
write("sbom.cdx.json", billOfMaterials(root, version, bundledNames, `${installed}@${dependencies[installed]}`))
write("package.json", {
  name,
  version,
  private: true,
  description,
  license,
  type: "module",
  bin: Object.fromEntries(Object.keys(bin).map((command) => [command, "start.mjs"])),
  exports: {
    "./client": { types: "./client/client.d.ts", default: "./client/client.js" },
    "./package.json": "./package.json"
  },
  engines: { node: ">=22.19.0" },
  dependencies: { [installed]: dependencies[installed] }
})
console.log(`${dist} has cardlake ${version}. Pack it with: npm pack ${asked.to ?? "./dist"}`)
