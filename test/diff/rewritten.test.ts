import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { statSync } from "node:fs"
import { join } from "node:path"
import type { SnapshotFolder } from "../../src/home/Manifest.ts"
import { replace } from "../../src/home/disk.ts"
import { asOfVersion } from "../../src/lake/snapshot/asOfVersion.ts"
import { differenceOf, emptyHome, snapshotOf } from "../lake/handMadeReading.ts"
import { expansion as plainExpansion, type Json } from "../lake/invented.ts"
import { changelogOf, item as plainItem } from "./changelogOf.ts"
import { claimFacts } from "./claimFacts.ts"

const price = { pricesByFinish: { Foil: { sourceEur: { currency: "EUR", low: 1 } } } }

claimFacts("a claim where the record says the same in other words", {
  "is explained for a product, whatever its prices did": ({ item, product }) => ({
    before: {
      products: [
        product(1, "moth", { releaseDate: "2024-03-01T00:00:00.000Z" }),
        product(2, "newt", { releaseDate: "2024-03-01T00:00:00Z" }),
        product(3, "otter", { releaseDate: "2024-03-01T00:00:00Z" })
      ]
    },
    after: {
      products: [
        product(1, "moth", { releaseDate: "2024-03-01T02:00:00+02:00" }),
        product(2, "newt", { releaseDate: "2024-03-01T00:00:00.000Z", ...price }),
        product(3, "otter", { releaseDate: "2024-03-02T00:00:00+02:00" })
      ]
    },
    between: [{ products: { modified: [item("moth", 1), item("newt"), item("otter", 3)] } }],
    expected: [
      "product 1 moth: modified / - = claimed_not_seen (rewritten)",
      "product 2 newt: modified / - = claimed_not_seen (rewritten)",
      "product 3 otter: modified / modified = confirmed"
    ]
  }),
  "is explained for an expansion: another text of its date, another order in a document, its game id said or not": ({
    expansion,
    item
  }) => ({
    before: {
      expansions: [
        expansion(1, "fen", { releaseDate: "2024-03-01T00:00:00Z" }),
        expansion(2, "bog", { attributes: { block: "Marsh", size: { cards: 9, boxes: 2 } } }),
        expansion(3, "mire", { motto: { en: "Wade on", de: "Weiter" } }),
        expansion(4, "moor", { gameId: undefined }),
        expansion(5, "pond", { releaseDate: "2024-03-01T00:00:00Z" }),
        expansion(6, "sump", { logoUrl: "https://example.com/6.png" })
      ]
    },
    after: {
      expansions: [
        expansion(1, "fen", { releaseDate: "2024-03-01T02:00:00+02:00" }),
        expansion(2, "bog", { attributes: { size: { boxes: 2, cards: 9 }, block: "Marsh" } }),
        expansion(3, "mire", { motto: { de: "Weiter", en: "Wade on" } }),
        expansion(4, "moor"),
        { releaseDate: "2024-03-01T00:00:00Z", ...expansion(5, "pond") },
        expansion(6, "sump", { logoUrl: "https://example.com/six.png", releaseDate: "2024-03-01T00:00:00Z" })
      ]
    },
    between: [
      {
        expansions: {
          modified: [item("fen", 1), item("bog"), item("mire", 3), item("moor"), item("pond", 5), item("sump", 6)]
        }
      }
    ],
    expected: [
      "expansion 1 fen: modified / - = claimed_not_seen (rewritten)",
      "expansion 2 bog: modified / - = claimed_not_seen (rewritten)",
      "expansion 3 mire: modified / - = claimed_not_seen (rewritten)",
      "expansion 4 moor: modified / - = claimed_not_seen (rewritten)",
      "expansion 5 pond: modified / - = claimed_not_seen",
      "expansion 6 sump: modified / modified = confirmed"
    ]
  })
})

/** A snapshot as the contract's version 2 wrote it: its expansions have no row hash. */
const ofVersion2 = Effect.fnUntraced(function* ({ folder, manifest }: SnapshotFolder) {
  const { expansions } = manifest.tables
  const written = yield* asOfVersion(folder, "expansions", 2)
  const file = join(folder, "expansions.parquet")
  yield* replace(written.file, file)
  const sizeBytes = statSync(file).size
  const tables = { ...manifest.tables, expansions: { rows: 2, ...expansions, sha256: written.sha256, sizeBytes } }
  return { folder, manifest: { ...manifest, contractVersion: 2, tables } } satisfies SnapshotFolder
})

layer(emptyHome, { excludeTestServices: true })("beside a snapshot without hashes of expansions", (it) => {
  it.effect("no expansion counts as modified or rewritten, and a claim about one stays unexplained", () =>
    Effect.gen(function* () {
      const dated = (releaseDate: string): ReadonlyArray<Json> => [
        plainExpansion(1, { slug: "fen", releaseDate }),
        plainExpansion(2, { slug: "bog" })
      ]
      const expansions = { modified: [plainItem("fen", 1), plainItem("bog", 2)] }
      const first = yield* ofVersion2(
        yield* snapshotOf("2026a", { expansions: dated("2024-03-01T00:00:00Z"), changelog: changelogOf({}) })
      )
      const second = yield* snapshotOf(
        "2026b",
        { expansions: dated("2024-03-01T02:00:00+02:00"), changelog: changelogOf({}, { expansions }) },
        first
      )
      for (const [from, to] of [
        [first, second],
        [second, first]
      ] as const) {
        const { diff, changes, reconciliations } = yield* differenceOf(from, to)
        assert.deepStrictEqual([changes, diff.changes.expansions.modified], [[], 0])
        assert.deepStrictEqual(
          reconciliations.map((row) => [row["slug"], row["status"], row["explanation"]]),
          from === first
            ? [
                ["fen", "claimed_not_seen", null],
                ["bog", "claimed_not_seen", null]
              ]
            : []
        )
      }
    })
  )
})
