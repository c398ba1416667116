import { hash } from "node:crypto"
import { Console, Effect } from "effect"
import { dialectNamed } from "../src/feed/client/RequiredDialect.ts"
import type { Capture } from "../src/feed/contract/Capture.ts"
import { type DialectFile, dialectFrom } from "../src/feed/contract/dialect/DialectFile.ts"
import { type Dialect, dialects } from "../src/feed/contract/dialect/dialects.ts"
import { shellWord } from "../src/feed/contract/shellWord.ts"
import { readCapture } from "../src/night/run/capture/captureFile.ts"
import { capturedPages, unreadParts } from "../src/night/run/capture/capturedPages.ts"
import { proposeDialect } from "../src/night/run/capture/proposeDialect.ts"
import { type TriedPart, tryDialect } from "../src/night/run/capture/tryDialect.ts"
import { formatAmount } from "../src/store/diff/formatAmount.ts"
import { printAnswer, printFault, Stopped } from "./print/printAnswer.ts"
import { judgeServices, withServices } from "./settings/services.ts"
import type * as specs from "./specs/setup.ts"

/** Returns a known dialect as a complete file, so that users can change any part of it. */
const toDialectFile = (like: keyof typeof dialects): DialectFile => {
  const { blocks, changedIds, currencies, ids } = dialects[like]
  return { name: "mine", like, pages: { offset: 200, cursor: 100 }, blocks, ids, currencies, changedIds, moved: {} }
}

const partText = ({ doubts, faults, missing, part, records, unknownKeys }: TriedPart): ReadonlyArray<string> => [
  ...(faults.length === 0 && (records > 0 || doubts.length === 0)
    ? [`ok   ${part}: ${formatAmount(records, "record")} understood`]
    : []),
  ...faults.map((fault) => `BAD  ${part}: ${fault}`),
  ...doubts.map((doubt) => `WARN ${part}: ${doubt}`),
  ...(unknownKeys.length === 0
    ? []
    : [
        `WARN ${part}: in no table, only recorded: ${unknownKeys.map(([path, count]) => `${path} (${count})`).join(", ")}`
      ]),
  ...(missing.length === 0 ? [] : [`WARN ${part}: expected, but in no record: ${missing.join(", ")}`])
]

const nextText = (capture: Capture, isWhole: boolean): string => {
  if (unreadParts(capture).length > 0) {
    return "Unread parts were not tried. Fix that, then capture again: cardlake doctor --capture FILE"
  }
  return isWhole
    ? "A night can read this, and does not check what WARN names. Pass the file to nightly by --dialect or CARDLAKE_DIALECT; publish a held night by replay --dialect"
    : "A night would stop at BAD, or lose the data. Map it in the file, then try again. Single invalid records are refused; up to 1 % of them do not hold a night"
}

const trying = (capture: Capture, dialect: Dialect) => withServices(judgeServices({}))(tryDialect(capture, dialect))

const tried = Effect.fnUntraced(function* (capture: Capture, dialect: Dialect, json: boolean) {
  const parts = yield* trying(capture, dialect)
  const isWhole = parts.every(({ faults }) => faults.length === 0)
  yield* printAnswer(json, { dialect: dialect.name, understood: isWhole, parts }, () =>
    [`With the names of ${dialect.name}:`, ...parts.flatMap(partText), "", nextText(capture, isWhole)].join("\n")
  )
  if (!isWhole) return yield* new Stopped({ code: 1 })
})

export const dialect = Effect.fnUntraced(function* (input: typeof specs.dialect.Input) {
  const { capture: file, dialect: named, json, like } = input
  if (file === null) {
    if (named !== null) {
      yield* printFault("--dialect needs a capture. Run: cardlake dialect CAPTURE --dialect FILE")
      return yield* new Stopped({ code: 2 })
    }
    return yield* Console.log(JSON.stringify(toDialectFile(like ?? "live"), null, 2))
  }
  const capture = yield* readCapture(file)
  const mapping = named === null ? null : yield* dialectNamed(named)
  if (mapping !== null) return yield* tried(capture, mapping, json)
  if (capturedPages(capture).every(({ part }) => part !== "products")) {
    yield* printFault(
      `Nothing to propose a mapping file for. ${unreadParts(capture)
        .map(({ part, says }) => `${part}: ${says}`)
        .join("; ")}. Then capture again: cardlake doctor --capture FILE`
    )
    return yield* new Stopped({ code: 1 })
  }
  const proposed = proposeDialect(capture, like)
  const parts = yield* trying(
    capture,
    dialectFrom({ sha256: hash("sha256", JSON.stringify(proposed)), content: proposed })
  )
  yield* Console.log(JSON.stringify(proposed, null, 2))
  // Only the proposal goes to standard output, so that it can be redirected to a file.
  yield* Console.error(
    [...parts.flatMap(partText), `Review it, then test it: cardlake dialect ${shellWord(file)} --dialect FILE`].join(
      "\n"
    )
  )
})
