import { Effect } from "effect"
import { type ConfirmedId, confirmIds, doubtIds, readConfirmedIds } from "../src/desk/own/ConfirmedIds.ts"
import { shellWord } from "../src/feed/contract/shellWord.ts"
import { textTable } from "../src/night/observe/textTable.ts"
import { needFolder } from "../src/store/lake/publish/openLake.ts"
import { formatAmount } from "../src/store/diff/formatAmount.ts"
import { printAnswer, wrongUsage } from "./print/printAnswer.ts"
import type * as specs from "./specs/own.ts"

const asTable = (ids: ReadonlyArray<ConfirmedId>): string =>
  textTable(
    ["game", "kind", "product", "system", "finish", "id", "why"],
    ids.map(({ externalId, finish, gameId, kind, productId, system, why }) => [
      gameId,
      kind,
      String(productId),
      system,
      finish ?? "",
      externalId ?? "",
      why ?? ""
    ])
  )

const readMeant = ({ game, id, kind, product }: Omit<typeof specs.doubtIds.Input, "json">) =>
  id === null && product === null
    ? wrongUsage("Say which finding: --id for all products of an id, or --product")
    : Effect.succeed({ gameId: game, externalId: id, productId: product, kind })

export const confirm = Effect.fnUntraced(function* ({ json, why, ...input }: typeof specs.confirmIds.Input) {
  const confirmed = yield* confirmIds(yield* readMeant(input), why)
  const { game, id, product } = input
  const named = [...(id === null ? [] : ["--id", id]), ...(product === null ? [] : ["--product", String(product)])]
  const back = ["cardlake", "audit", "doubt", game, ...named].map(shellWord).join(" ")
  yield* printAnswer(
    json,
    confirmed,
    (ids) => `${asTable(ids)}\n\n${formatAmount(ids.length, "finding")} confirmed as not wrong. Take it back: ${back}`
  )
})

export const list = Effect.fnUntraced(function* ({ json }: typeof specs.listConfirmed.Input) {
  yield* needFolder
  yield* printAnswer(json, yield* readConfirmedIds, (ids) =>
    ids.length === 0 ? "No finding of the id audit is confirmed as not wrong" : asTable(ids)
  )
})

export const doubt = Effect.fnUntraced(function* ({ json, ...input }: typeof specs.doubtIds.Input) {
  const removed = yield* doubtIds(yield* readMeant(input))
  yield* printAnswer(
    json,
    removed,
    (ids) => `${asTable(ids)}\n\nThe audit reports ${formatAmount(ids.length, "finding")} again`
  )
})
