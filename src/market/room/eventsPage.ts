import { Effect } from "effect"
import { chooseForm } from "../../desk/pages/chooseForm.ts"
import { html } from "../../desk/pages/html.ts"
import { MarketEvent } from "../contract/events/MarketEvent.ts"
import { State } from "../state/State.ts"
import { accountChoice } from "./accountChoice.ts"
import { eventTable, newestEvents } from "./eventRows.ts"
import { live, pageRows, pager, type PageOf, wanted, wantedNumber } from "./RoomPage.ts"

const types = MarketEvent.members.map(({ fields }) => fields.type.literal)

/** Everything that happened, whether or not anybody receives it. */
export const eventsPage: PageOf = Effect.fnUntraced(function* (asked) {
  const { store } = yield* State
  const type = wanted(asked, "type")
  const accountId = wanted(asked, "account")
  const before = yield* wantedNumber(asked, "before")
  const found = newestEvents(store, { type, accountId, before, limit: pageRows + 1 })
  const shown = found.slice(0, pageRows)
  const form = chooseForm(asked.path, [
    {
      kind: "choice",
      name: "type",
      label: "Type",
      value: type ?? "",
      options: [["", "all"], ...types.map((each) => [each, each] as const)]
    },
    accountChoice(store, "account", { none: "all", value: accountId ?? "" })
  ])
  return {
    title: "Events",
    says: "Events as they were written, whether or not anybody receives them.",
    body: html`${form}${live("events", [
      eventTable("Events, newest first", shown),
      pager(asked.path, asked.query, ["before", found.length > pageRows ? String(shown.at(-1)?.number) : null])
    ])}`
  }
})
