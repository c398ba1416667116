import { existsSync } from "node:fs"
import { Effect } from "effect"
import { claimHome } from "../src/lake/claimHome.ts"
import { readCurrent, type Current } from "../src/lake/Current.ts"
import { Home } from "../src/lake/Home.ts"
import { lakeMatches } from "../src/lake/lakeMatches.ts"
import { lakeIsWhole } from "../src/lake/lakeIsWhole.ts"
import { lockHome } from "../src/lake/lockHome.ts"
import { newRunId } from "../src/lake/newRunId.ts"
import { publish } from "../src/lake/publish.ts"
import { damagesOf } from "../src/lake/repair/damages.ts"
import { noPublicationIsLost } from "../src/lake/repair/lostPublications.ts"
import { setAside } from "../src/lake/repair/setAside.ts"
import { sumsFile, verifySummed } from "../src/lake/summedFile.ts"
import { mendSnapshot } from "./mendSnapshot.ts"
import { rebuildCurrent } from "./rebuildCurrent.ts"

/**
 * Mends what can be mended of a damaged home: the list of published snapshots from manifests and reports, tables and changes from raw pages,
 * `lake.duckdb` from the Parquet. Nothing is deleted: what was damaged is set aside for a week. Answers what was done and what is still wrong.
 */
export const runRepair = Effect.fn("repair")(function* () {
  const home = yield* Home
  yield* claimHome
  const run = yield* newRunId
  const lock = yield* lockHome("repair", run)
  const done: Array<string> = []
  const known = yield* Effect.option(Effect.tap(readCurrent, noPublicationIsLost))
  const current: Current = known._tag === "Some" ? known.value : yield* rebuildCurrent()
  if (known._tag === "None") {
    if (existsSync(home.current)) yield* setAside(run, [home.current])
    const games = Object.entries(current.games).map(([gameId, { snapshot }]) => `${gameId} ${snapshot}`)
    done.push(`current.json names what is published again: ${games.join(", ")}`)
  }
  if (yield* Effect.isFailure(verifySummed(home.rates))) {
    yield* setAside(
      run,
      [home.rates, sumsFile(home.rates)].filter((file) => existsSync(file))
    )
    done.push("damaged exchange rates are set aside; load them again with: cardlake fx")
  }
  const damaged = new Map(
    (yield* damagesOf(current)).flatMap(({ snapshot }) =>
      snapshot === null ? [] : [[`${snapshot.gameId} ${snapshot.snapshot}`, snapshot] as const]
    )
  )
  // Oldest first: the changes of a snapshot are computed from the one before it.
  for (const [name, of] of [...damaged].sort()) {
    const mended = yield* Effect.result(mendSnapshot(run, current, of))
    if (mended._tag === "Success") done.push(`snapshot ${name} is as it was written`)
  }
  const left = (yield* damagesOf(current)).map(({ says }) => says)
  const isBuilt = yield* Effect.isSuccess(
    Effect.andThen(Effect.filterOrFail(lakeMatches(current), Boolean), lakeIsWhole)
  )
  if (known._tag === "None" || !isBuilt) {
    const built = yield* Effect.result(publish(run, current, lock))
    if (built._tag === "Success") done.push("lake.duckdb is built again")
    else if (!left.includes(built.failure.message)) left.push(built.failure.message)
  }
  return { done, left }
}, Effect.scoped)
