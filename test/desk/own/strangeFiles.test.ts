import { live } from "../../support/suite.ts"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { readCollectionFile } from "../../../src/desk/own/readFile.ts"
import { temporaryFolder } from "../../warehouse/Dropped.ts"

const header = "product_id,name,quantity\n"
const strange: ReadonlyArray<readonly [name: string, text: string | null, says: RegExp]> = [
  ["pipe.csv", null, /no file, but a pipe or a device/],
  ["/dev/zero", null, /no file, but a pipe or a device/],
  ["cell.csv", `product_id,"${"x".repeat(20_000_000)}"\n1,2\n`, /the header, has more than 65536 letters/],
  ["columns.csv", `product_id${",x".repeat(1_000_000)}\n1\n`, /the header, has more than 65536 letters/],
  ["quote.csv", `${header}1,a,1\n2,"b,1\n3,c,1\n`, /the quote that opens at line 3 is never closed/],
  ["quotes.csv", `${header}1,"a ""b""",1\n2,"c\nd",1\n3,"""e,1\n`, /the quote that opens at line 5 is never closed/],
  ["blank.csv", `${header}1, "a", 1\n2, "b, 1\n3, c, 1\n`, /the quote that opens at line 3 is never closed/],
  ["start.csv", `${header} "1,a,1\n2,b,1\n`, /the quote that opens at line 2 is never closed/]
]

for (const [name, text, says] of strange)
  live(`${name} is refused at once, with the reason`, function* () {
    const path = name.startsWith("/") ? name : join(yield* temporaryFolder, name)
    if (text !== null) writeFileSync(path, text)
    else if (path !== name) execFileSync("mkfifo", [path])
    assert.match((yield* Effect.flip(readCollectionFile(path))).message, says)
  })

live("a quote inside of a cell is a letter, and quoted cells may have several lines", function* () {
  const path = join(yield* temporaryFolder, "whole.csv")
  writeFileSync(path, `${header}1,5" card,1\n2,"two\nlines",1\n`)
  assert.strictEqual((yield* readCollectionFile(path)).headLines, 1)
})
