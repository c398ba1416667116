import { Effect, Stream } from "effect"
import type { Extraction } from "../../reading/Extraction.ts"
import { readRefusals } from "../../reading/readExtraction.ts"
import { lakeStep } from "../../home/LakeError.ts"
import { TableBatch } from "../../rows/batch/TableBatch.ts"
import { tableNamed } from "../../schema/snapshotTables.ts"

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
      refusals.flushIfFull()
    })
  )
  yield* step(() => {
    for (const { kind, path, records } of extraction.unknownKeys) drift.row({}, "key", kind, path, records)
    refusals.write()
    drift.write()
  })
})
