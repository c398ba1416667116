// `node .ci/wire/write.ts` writes the types of `cardlake/client` from the contract.
import { renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { marketplaceDocument } from "../../src/market/description/descriptionRoutes.ts"
import { wireText } from "./wireText.ts"

const file = join(import.meta.dirname, "../../src/market/sdk/wire.ts")
const part = `${file}.${process.pid}`
writeFileSync(part, wireText(marketplaceDocument()))
renameSync(part, file)
