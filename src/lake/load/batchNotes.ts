import { Effect, Stream } from "effect"
import type { Extraction } from "../../extract/Extraction.ts"
import { readRefusals } from "../../extract/readExtraction.ts"
import { lakeStep } from "../duckdb/LakeError.ts"
import { TableBatch } from "./batch/TableBatch.ts"
import { tableNamed } from "./snapshotTables.ts"

/**
 * What a reading says besides its records, as batches below
 * `folder`: refusals, and keys that the contract does not know.
 */
export const batchNotes = Effect.fnUntraced(function* (extraction: Extraction, raw: string, folder: string) {
  const target = { folder, writer: "notes" }
  const refusals = new TableBatch(tableNamed("refusals"), target)
  const drift = new TableBatch(tableNamed("drift"), target)
  const step = (write: () => void) =>
    lakeStep(`Write what ${extraction.gameId} was read with`, () => Promise.resolve().then(write))
  yield* Stream.runForEach(readRefusals(raw), (refusal) =>
    step(() => {
      refusals.row(refusal)
      refusals.settle()
    })
  )
  yield* step(() => {
    for (const { kind, path, records } of extraction.unknownKeys) drift.row({}, "key", kind, path, records)
    refusals.write()
    drift.write()
  })
})
