import { Console, Effect } from "effect"
import { shownText } from "../../src/feed/contract/shownText.ts"
import { nightEvent } from "../../src/night/observe/nightEvent.ts"
import type { LogForm } from "../../src/night/observe/nightLog.ts"
import type { LogTo } from "../../src/night/observe/observe.ts"

/** Says something of a member: a sentence for people, an event for machines. */
export type Tell = (event: string, sentence: string, figures?: Readonly<Record<string, unknown>>) => Effect.Effect<void>

/** What lines of a member begin with: the time of this machine, in UTC. */
const stamp = (): string => `${new Date().toISOString().slice(0, 19)}Z`

export const tellFleet =
  (form: LogForm): Tell =>
  (event, sentence, figures = {}) =>
    form === "json"
      ? nightEvent(event, { ...figures, sentence })
      : Effect.suspend(() => Console.error(`${stamp()} ${shownText(sentence)}`))

/** The same time before each warning. */
export const stamped = ({ form, write }: LogTo): LogTo => ({
  form,
  write: form === "json" ? write : (line) => write(`${stamp()} ${line}`)
})
