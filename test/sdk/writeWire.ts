// `node test/sdk/writeWire.ts`: writes the records and operations of `cardlake/client` anew, after a change of the contract.
import { rmSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { marketplaceDocument } from "../../src/market/description/documents.ts"
import { root } from "../pipelines/cli.ts"
import { wireFiles } from "./wireFiles.ts"

const folder = join(root, "src/sdk/wire")
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
for (const [name, text] of wireFiles(marketplaceDocument())) writeFileSync(join(folder, name), text)
