import type { DialectName } from "../../feed/contract/dialect/dialects.ts"
import { shellWord } from "../../feed/contract/shellWord.ts"
import { shownText } from "../../feed/contract/shownText.ts"
import type { HeldBack } from "../home/HeldBack.ts"
import type { Manifest } from "../home/Manifest.ts"
import { formatAmount } from "./formatAmount.ts"
import { runMillis } from "../home/newRunId.ts"

/** Kinds of holds, by what a person looks at and decides. Of several reasons, the first kind decides. */
const looks = ["clock", "unknown keys", "refused, perhaps moved", "refused", "emptied", "changes"] as const
export type Look = (typeof looks)[number]

/** Returns the kind of a hold with several reasons. */
export const chooseLook = (of: ReadonlyArray<string>): Look => looks.find((look) => of.includes(look)) ?? "changes"

const step = (command: string, ...args: ReadonlyArray<string>) => ({ command, args })
/** A command of this program that a person can run next. */
type NextStep = ReturnType<typeof step>
export type AdviceLine = ReadonlyArray<string | NextStep>

type HeldManifest = Pick<Manifest, "gameId" | "previous" | "runId" | "snapshot">

/** Returns how to map keys that no dialect has. Without a mapping, their prices and ids are missing in every table. */
export const unknownKeysAdvice = (gameId: string): string =>
  `Name them in a mapping file. See the marketplace's answers: cardlake doctor --capture capture.json; then publish the stored pages: cardlake replay ${shellWord(gameId)} --dialect dialect.json`

const wait = "do nothing: the published snapshot does not change, and the next correct night is published"

/** Returns what a person looks at. A game's first snapshot has no predecessor for comparison. */
const lookLine = (look: Look, { gameId, previous, runId, snapshot }: HeldManifest, hasOthers: boolean): AdviceLine => {
  const raw = `raw/${gameId}/${runId}`
  if (look === "clock") return ["Look at the clock of this machine, for example with: date -u"]
  if (look === "unknown keys")
    return ["Look at the marketplace's answers: ", step("doctor", "--capture", "capture.json")]
  const changes = previous === null ? [] : [step("diff", gameId, previous, snapshot)]
  if (look !== "changes" && look !== "emptied") {
    const records = `Look at the refused records and their reasons, in the data directory: ${raw}/refusals.ndjson`
    return hasOthers && previous !== null ? [`${records}; and at the changes: `, ...changes] : [records]
  }
  if (previous === null) return [`Look at the pages as they came, in the data directory: ${raw}`]
  return ["Look at the changes: ", ...changes]
}

/** Returns what a person can do. */
const decideLine = (look: Look, { gameId, snapshot }: HeldManifest, hasOthers: boolean): AdviceLine => {
  const release = step("release", gameId, snapshot, "--why", "…")
  const map = step("replay", gameId, "--dialect", "dialect.json")
  if (look === "clock")
    return [
      "Decide. If the clock is wrong now, set it and run: ",
      step("nightly"),
      "; if it was wrong when the published reading was made, take that one back: ",
      step("rollback", gameId),
      "; if there is none before it, publish this one: ",
      release
    ]
  if (look === "unknown keys")
    return [
      "Decide. Name them in a mapping file, then publish: ",
      map,
      "; if you do not need these prices and ids, publish without them: ",
      release
    ]
  const without = hasOthers
    ? "; if everything else is right and you do not need these records, publish without them: "
    : "; if you do not need these records, publish without them: "
  if (look === "refused") return [`Decide. Report the records to the marketplace and ${wait}${without}`, release]
  if (look === "refused, perhaps moved")
    return [
      `Decide. If records lack the field by mistake, ${wait}; if the marketplace moved it, see its answers with: `,
      step("doctor", "--capture", "capture.json"),
      ", add the new path to a mapping file, then publish: ",
      map,
      without,
      release
    ]
  const renamed = ["; if the field was only renamed, name it in a mapping file, then publish: ", map]
  return [
    "Decide. If it is right, publish it: ",
    release,
    ...(look === "emptied" ? renamed : []),
    `; if it is wrong, ${wait}`
  ]
}

export const joinReasons = (reasons: ReadonlyArray<string>): string =>
  reasons.map((reason) => shownText(reason)).join("; ")

/**
 * Returns three lines about a held snapshot: what is wrong, where to look, how to decide. `known` is the dialect of a
 * snapshot that was held because an older version did not know it.
 */
export const heldLines = (
  manifest: HeldManifest,
  { look, mappingHelps, reasons }: HeldBack,
  known: DialectName | null = null
): readonly [what: AdviceLine, look: AdviceLine, decide: AdviceLine] => {
  const what = [reasons.length === 0 ? "its held.json cannot be read" : joinReasons(reasons)]
  if (known !== null)
    return [
      what,
      [`Look: these are the names of dialect ${known}, which this version knows`],
      [
        "Decide. Publish it with its prices and ids: ",
        step("replay", manifest.gameId, manifest.snapshot, "--dialect", known)
      ]
    ]
  const kind = chooseLook([look ?? (mappingHelps === true ? "emptied" : "changes")])
  const hasOthers = reasons.length > 1
  return [what, lookLine(kind, manifest, hasOthers), decideLine(kind, manifest, hasOthers)]
}

const commandText = ({ args, command }: NextStep): string => ["cardlake", command, ...args].map(shellWord).join(" ")

/** Formats lines for a terminal, a log or JSON. */
export const adviceText = (lines: ReadonlyArray<AdviceLine>): string =>
  lines.map((line) => line.map((part) => (typeof part === "string" ? part : commandText(part))).join("")).join("\n")

/** Formats a line as parts for a document: its commands are code. */
export const adviceSentence = (line: AdviceLine) =>
  line.map((part) => (typeof part === "string" ? part : { code: commandText(part) }))

/** More held games than this do not fit on a screen with all their lines. */
const fewGames = 2

/** Max games of a kind that get a line of their own; the others are named. */
const maxLines = 8

/** A held game, and the text about it: the first line is the reason, the others are what to do. */
interface HeldText {
  readonly gameId: string
  readonly text: string
  /** The reasons one by one; absent if the text has a single one. */
  readonly reasons?: ReadonlyArray<string>
}

/** Returns a text without the ids of its game and of runs, so that it equals that of another game of the same kind. */
export const withoutIds = (text: string, gameId: string): string =>
  text
    .split(/([\w-]+)/)
    .map((word) => (word === gameId || runMillis(word) !== null ? "…" : word))
    .join("")

/** Replaces all reasons of a hold but the first with their number. */
const shortenReasons = (line: string, reasons: ReadonlyArray<string> = []): string => {
  const more = formatAmount(reasons.length - 1, "more reason")
  return reasons.length < 2
    ? line
    : line.replace(joinReasons(reasons), () => `${joinReasons(reasons.slice(0, 1))}; and ${more}`)
}

/**
 * Returns the texts about held games. Of more than a few, each has its first reason, and what to do is printed once for
 * all holds of a kind, with the commands for the first game. `isScreen` is false where there is room for every reason.
 */
export const shortenHeld = (games: ReadonlyArray<HeldText>, isScreen: boolean): ReadonlyArray<string> => {
  if (games.length <= fewGames) return games.map(({ text }) => text)
  const split = games.map(({ gameId, reasons: all, text }) => {
    const [reasons = "", ...advice] = text.split("\n")
    return { gameId, advice, reasons, short: isScreen ? shortenReasons(reasons, all) : reasons }
  })
  const kinds = Map.groupBy(split, ({ advice, gameId }) => withoutIds(advice.join("\n"), gameId))
  const isWhole = split.every(({ reasons, short }) => short === reasons)
  const texts = [...kinds.values()].map((alike) => {
    const [shown, others] = [alike.slice(0, maxLines), alike.slice(maxLines).map(({ gameId }) => gameId)]
    const [first] = alike
    const advice = first?.advice ?? []
    return [
      ...shown.map(({ short }) => short),
      ...(others.length === 0 ? [] : [`${formatAmount(others.length, "other")} of this kind: ${others.join(", ")}`]),
      ...(advice.length > 0 && alike.length > 1 ? [`For ${first?.gameId}, and likewise for the others:`] : []),
      ...advice
    ].join("\n")
  })
  return isWhole ? texts : [...texts, "Read all reasons: cardlake doctor"]
}
