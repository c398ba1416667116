import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { Chosen } from "./chosenSettings.ts"

/** No way of writing the value in a `.env` would be read as this value. */
export class ValueUnwritable extends Schema.TaggedError<ValueUnwritable>()("ValueUnwritable", { name: Schema.String }) {
  override get message() {
    return `${this.name} has characters that a .env cannot have. Set it in the environment of the nightly run instead, or choose another`
  }
}

/** What `.env` says of the settings, by name. */
export const settingsChosen = ({ home, key, url }: Chosen): Readonly<Record<string, string>> => ({
  CARDLAKE_URL: url,
  CARDLAKE_API_KEY: Redacted.value(key),
  CARDLAKE_HOME: home
})

/** The values that a text of a `.env` sets, in the words of the reader of settings. */
export const valuesOf = Effect.fnUntraced(function* (text: string, names: ReadonlyArray<string>) {
  const provider = ConfigProvider.fromDotEnvContents(text)
  const entries = yield* Effect.forEach(names, (name) =>
    provider.load([name]).pipe(
      Effect.map((node) => [name, node?.value ?? ""] as const),
      Effect.orElseSucceed(() => [name, ""] as const)
    )
  )
  return Object.fromEntries(entries)
})

/** The text of a `.env`, each value in the quotes that it needs. */
export const envText = Effect.fnUntraced(function* (settings: Readonly<Record<string, string>>) {
  const lines: Array<string> = []
  for (const [name, value] of Object.entries(settings)) {
    const plain = /^[\w@%+=:,./-]*$/.test(value) ? [value] : []
    const forms = [...plain, ...["'", '"', "`"].map((quote) => quote + value + quote)].map((form) => `${name}=${form}`)
    const right = yield* Effect.filter(forms, (line) =>
      Effect.map(valuesOf(line, [name]), (read) => read[name] === value)
    )
    const [line] = right
    if (line === undefined) return yield* new ValueUnwritable({ name })
    lines.push(line)
  }
  return `${lines.join("\n")}\n`
})
