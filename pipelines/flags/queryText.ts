import { readFileSync } from "node:fs"
import { text } from "node:stream/consumers"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** The file of a query is not there, or may not be read. */
class QueryUnreadable extends Schema.TaggedError<QueryUnreadable>()("QueryUnreadable", {
  file: Schema.String,
  cause: Schema.String
}) {
  override get message() {
    return `The query in ${this.file} cannot be read (${this.cause}). Name a file that is there and that you may open`
  }
}

const whyOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** Some editors put it before the text. */
const withoutMark = (text: string): string => text.replace(/^\uFEFF/, "")

/** Where a query is from: the command line, a file, or standard input, which is `-` in place of either. */
export interface QuerySource {
  readonly sql: Option.Option<string>
  readonly file: Option.Option<string>
}

/** The text of a query; standard input is read to its end. */
export const queryText = ({ file, sql }: QuerySource) => {
  const named = Option.getOrElse(file, () => "-")
  if (Option.isSome(sql) && sql.value !== "-") return Effect.succeed(sql.value)
  const read =
    named === "-"
      ? Effect.tryPromise({ try: () => text(process.stdin), catch: whyOf })
      : Effect.try({ try: () => readFileSync(named, "utf8"), catch: whyOf })
  return Effect.mapBoth(read, {
    onSuccess: withoutMark,
    onFailure: (cause) => new QueryUnreadable({ file: named === "-" ? "standard input" : named, cause })
  })
}
