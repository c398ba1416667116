import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../pipelines/cli.ts"
import type { Installed } from "./installPackage.ts"

/** A folder with the examples as a user copies them, where the installed package is found by its name. */
export const programsFolder = ({ all, folder }: Installed): string => {
  const here = join(all, "programs")
  mkdirSync(join(here, "node_modules"), { recursive: true })
  symlinkSync(folder, join(here, "node_modules/cardlake"))
  cpSync(join(folder, "pipelines/examples"), here, { recursive: true })
  writeFileSync(join(here, "package.json"), '{"type":"module"}')
  return here
}

const program = `import { ApiError, createClient, type Sale, verifyWebhook } from "cardlake/client"
const api = createClient({ url: "https://market.example", key: "k" })
export const shipped: Array<Sale> = []
for await (const sale of api.sales.list({ status: ["shipped"], limit: undefined })) shipped.push(sale)
const event = await verifyWebhook({ headers: {}, body: "", secret: "" })
export const price: number | undefined = event.type === "order.created" ? event.data.items[0]?.unitPrice.amount : 0
export const wait = (error: unknown): number =>
  error instanceof ApiError && error.is("TOO_MANY_REQUESTS") ? error.data.retryAfter : 0
// @ts-expect-error: a product's id is a number
await api.products.get("10007")
`

/** What tsc says of a program that uses the client, with the types of neither Node nor a browser. */
export const compiledWith = (here: string, module: string, resolution: string): string => {
  writeFileSync(join(here, "strict.ts"), program)
  const options = "--noEmit --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --skipLibCheck false"
  const target = ["--target", "es2022", "--lib", "es2022", "--types", "", "--ignoreConfig"]
  const args = [...options.split(" "), ...target, "--module", module, "--moduleResolution", resolution, "strict.ts"]
  return spawnSync(join(root, "node_modules/.bin/tsc"), args, { cwd: here, encoding: "utf8" }).stdout
}
