import { publishedChain } from "../../../src/store/lake/history/nights.ts"
import type { Manifest, Part } from "../../../src/store/home/Manifest.ts"
import { listRawRuns } from "../../../src/feed/contract/Via.ts"
import type { SmallLake } from "../small/smallDuckDb.ts"
import type { Current } from "../../../src/store/home/Home.ts"
import { Violation } from "../history.ts"
import type { Told } from "./drive.ts"
import type { World } from "../machine/World.ts"

/** Every acknowledged publication is among the steps, and none is there twice. A night may be another runner's equal one. */
export const checkSteps = (steps: ReadonlyArray<string>, { published }: Told): void => {
  for (const { gameId, isNight, run, snapshot } of published)
    if (
      !steps.includes(`${run} ${gameId} ${snapshot}`) &&
      !steps.some((step) => isNight && step.endsWith(` ${gameId} ${snapshot}`))
    )
      throw new Violation(
        "4 durable",
        `the publication of ${gameId} ${snapshot} by ${run} was acknowledged and is lost`
      )
  const twice = steps.find((step, at) => steps.indexOf(step) !== at)
  if (twice !== undefined) throw new Violation("3 once", `${twice} is published twice`)
}

/** A command takes one step of each of its games at most, however often it was tried. */
export const checkOnce = (
  steps: ReadonlyArray<{ readonly gameId: string; readonly kind: string }>,
  { started }: Told
): void => {
  for (const [kind, commands] of started) {
    const byGame = Map.groupBy(
      steps.filter((step) => step.kind === kind),
      ({ gameId }) => gameId
    )
    for (const [gameId, own] of byGame)
      if (own.length > commands)
        throw new Violation("3 once", `${gameId} has ${own.length} steps ${kind}, and ${commands} such commands began`)
  }
}

/** Publications have the numbers 1, 2, 3, … without a gap, and one that was seen keeps its number. */
export const checkSequences = (
  steps: ReadonlyArray<{ readonly gameId: string; readonly run: string; readonly sequence: number }>,
  { sequences }: Told
): void => {
  const numbers = [...new Set(steps.map(({ sequence }) => sequence))].toSorted((a, b) => a - b)
  if (numbers.some((sequence, at) => sequence !== at + 1))
    throw new Violation("1 in order", `publications have the numbers ${numbers.join()}`)
  for (const { gameId, run, sequence } of steps) {
    const seen = sequences.get(`${gameId} ${run}`)
    if (seen !== undefined && seen !== sequence)
      throw new Violation("1 in order", `publication ${seen} of ${gameId} by ${run} has number ${sequence} now`)
    sequences.set(`${gameId} ${run}`, sequence)
  }
}

/** Looks at the disk as it is now, without any process of the program. */
export const checkFolder = (world: World, told: Told): void => {
  const disk = world.disks.get("home")
  if (disk === undefined) return
  const textOf = (path: string): string | null => {
    const node = disk.find(path)
    return node?.kind === "file" ? node.data.toString("utf8") : null
  }
  const text = textOf("current.json")
  if (text === null) {
    if (told.published.length > 0) throw new Violation("4 durable", "current.json is missing after a publication")
    return
  }
  let current: Current
  try {
    current = JSON.parse(text) as Current
  } catch {
    throw new Violation("1 whole", "current.json is torn")
  }
  const steps = current.history.map(({ gameId, run, snapshot }) => `${run} ${gameId} ${snapshot}`)
  checkSteps(steps, told)
  checkOnce(current.history, told)
  checkSequences(current.history, told)
  for (const [gameId, { published, snapshot }] of Object.entries(current.games)) {
    const last = current.history.findLast((step) => step.gameId === gameId)
    if (last?.snapshot !== snapshot)
      throw new Violation("1 whole", `${gameId} shows ${snapshot}, and its last step is ${last?.snapshot}`)
    for (const one of published) checkSnapshot(textOf, gameId, one)
    checkHistory(current, gameId, { textOf, files: disk.files(`history/game=${gameId}`) })
  }
}

type TextOf = (path: string) => string | null

const documentAt = <A>(textOf: TextOf, path: string): A => {
  const text = textOf(path)
  if (text === null) throw new Violation("9 named", `${path} is named and missing`)
  try {
    return JSON.parse(text) as A
  } catch {
    throw new Violation("4 durable", `${path} is named and torn`)
  }
}

const checkSnapshot = (textOf: TextOf, gameId: string, snapshot: string): void => {
  const folder = `snapshots/game=${gameId}/snapshot=${snapshot}`
  const manifest = documentAt<Manifest>(textOf, `${folder}/manifest.json`)
  const row = `["${gameId}/${manifest.deploymentId}"]`
  for (const table of Object.keys(manifest.tables)) {
    const text = textOf(`${folder}/${table}.parquet`)
    if (text === null && !table.includes("price"))
      throw new Violation("9 named", `${folder}/${table}.parquet is named and missing`)
    if (text !== null && text !== row)
      throw new Violation("4 durable", `${folder}/${table}.parquet is torn, and the snapshot is published`)
  }
  for (const run of listRawRuns(manifest))
    if (textOf(`raw/${gameId}/${run}/extraction.json`) === null)
      throw new Violation("9 named", `the pages of ${run}, which ${folder} needs, are missing`)
}

/** Every night that counts has its prices: in its snapshot, or in the month that replaced them. */
const checkHistory = (
  current: Current,
  gameId: string,
  { files, textOf }: { readonly textOf: TextOf; readonly files: ReadonlyArray<string> }
): void => {
  const parts = files.filter((file) => file.endsWith("/part.json")).map((file) => documentAt<Part>(textOf, file))
  for (const snapshot of publishedChain(current, gameId)) {
    const own = textOf(`snapshots/game=${gameId}/snapshot=${snapshot}/source_prices.parquet`)
    if (own === null && !parts.some(({ nights }) => nights.some((night) => night.snapshot === snapshot)))
      throw new Violation("9 named", `the prices of ${gameId} ${snapshot}, a night that counts, are nowhere`)
  }
}

/** The changelog of a game has the entry of every snapshot that is there, in both of its files. */
const checkChangelog = (textOf: TextOf, gameId: string, published: ReadonlyArray<string>): void => {
  for (const table of ["deployments", "deployment_changes"]) {
    const rows = documentAt<ReadonlyArray<string>>(textOf, `deployments/game=${gameId}/${table}.parquet`)
    for (const snapshot of published) {
      const { deploymentId } = documentAt<Manifest>(
        textOf,
        `snapshots/game=${gameId}/snapshot=${snapshot}/manifest.json`
      )
      if (!rows.includes(`${gameId}/${deploymentId}`))
        throw new Violation("5 changes", `${table} of ${gameId} lacks ${deploymentId}, which is published`)
    }
  }
}

/** Once faults have stopped and a night has been published, nothing is missing. */
export const checkFolderAtEnd = (world: World): void => {
  const disk = world.disks.get("home")
  const textOf: TextOf = (path) => {
    const node = disk?.find(path) ?? null
    return node?.kind === "file" ? node.data.toString("utf8") : null
  }
  const current = documentAt<Current>(textOf, "current.json")
  for (const [gameId, { published }] of Object.entries(current.games)) checkChangelog(textOf, gameId, published)
  const lake = documentAt<SmallLake>(textOf, "lake.duckdb")
  for (const [gameId, { snapshot }] of Object.entries(current.games)) {
    const { deploymentId } = documentAt<Manifest>(textOf, `snapshots/game=${gameId}/snapshot=${snapshot}/manifest.json`)
    for (const table of ["products", "source_prices", "deployments"])
      if (!lake.tables[table]?.[gameId]?.includes(`${gameId}/${deploymentId}`))
        throw new Violation(
          "1 in order",
          `${table} of the lake has no row of ${gameId} ${deploymentId}, which is published`
        )
    for (const [at, night] of publishedChain(current, gameId).entries()) {
      const changes =
        lake.views["reconciliations"]?.filter((file) => file.includes(`game=${gameId}/to=${night}/`)) ?? []
      if (at > 0 && changes.length !== (current.games[gameId]?.published.includes(night) === true ? 1 : 0))
        throw new Violation("5 changes", `the lake shows ${changes.length} changes of ${gameId} to ${night}`)
    }
  }
}
