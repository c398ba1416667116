import { Metric } from "effect"

/** What a night counts, in OpenTelemetry's words. `unit` is UCUM; other attributes are added where it is counted. */
const counter = (name: string, unit: string, description: string) =>
  Metric.counter(`cardlake.${name}`, { description, incremental: true, attributes: { unit } })

export const pagesRead = counter("pages", "{page}", "Pages received whole")
export const recordsRead = counter("records", "{record}", "Records on the pages received, refused ones included")
export const bytesRead = counter("received", "By", "Bytes of the pages received, as they came over the wire")
export const requestsRetried = counter("retries", "{request}", "Requests sent again after a fault that tends to pass")
export const secondsWaited = counter("waits", "s", "Time requests waited for the rate limit or before a retry")
export const recordsRefused = counter("refused", "{record}", "Records the contract refused, once a finished game")
export const tokensGranted = counter(
  "budget.tokens",
  "{request}",
  "Requests granted by the budget that the workers of a key share"
)
export const budgetWaits = counter("budget.waits", "s", "Time requests waited for that budget")
export const budgetRefused = counter("budget.refused", "{request}", "Answers with 429 under that budget")
export const stageSeconds = counter("stage.duration", "s", "Time spent in a stage of a game")
export const gamesFinished = counter("games", "{game}", "Games of finished runs by verdict")
