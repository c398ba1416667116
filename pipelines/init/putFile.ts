import { ConfigProvider, Effect, Redacted } from "effect"
import { diff } from "node:util"
import type { Chosen } from "./chooseSettings.ts"
import { type Disk, onDisk } from "../../src/feed/disk/Disk.ts"
import { ratesOfBank } from "../settings/settingsProvider.ts"
import { isThisMachine } from "../settings/examineSettings.ts"
import { errorCode } from "../../src/feed/disk/makeFolders.ts"
import { Fault } from "../../src/feed/contract/Fault.ts"

/** Returns the settings for the `.env`, by name. */
export const settingsChosen = ({ home, key, url }: Chosen): Readonly<Record<string, string>> => ({
  CARDLAKE_URL: url,
  CARDLAKE_API_KEY: Redacted.value(key),
  CARDLAKE_HOME: home
})

/** Returns settings that only the `.env` has: times for `status`, and rates unless the marketplace is on this machine. */
export const settingsBeside = ({ hour, url, zone }: Chosen): Readonly<Record<string, string>> => ({
  CARDLAKE_CRON: `0 ${hour} * * *`,
  CARDLAKE_TZ: zone,
  ...(isThisMachine(new URL(url).hostname) ? {} : { CARDLAKE_FX: ratesOfBank })
})

/** Parses the values of a `.env` with the settings reader. */
export const parseValues = Effect.fnUntraced(function* (text: string, names: ReadonlyArray<string>) {
  const provider = ConfigProvider.fromDotEnvContents(text)
  const entries = yield* Effect.forEach(names, (name) =>
    provider.load([name]).pipe(
      Effect.map((node) => [name, node?.value ?? ""] as const),
      Effect.orElseSucceed(() => [name, ""] as const)
    )
  )
  return Object.fromEntries(entries)
})

/** Formats a `.env`, each value in the quotes that it needs. */
export const envText = Effect.fnUntraced(function* (settings: Readonly<Record<string, string>>) {
  const lines: Array<string> = []
  for (const [name, value] of Object.entries(settings)) {
    const plain = /^[\w@%+=:,./-]*$/.test(value) ? [value] : []
    const forms = [...plain, ...["'", '"', "`"].map((quote) => quote + value + quote)].map((form) => `${name}=${form}`)
    const right = yield* Effect.filter(forms, (line) =>
      Effect.map(parseValues(line, [name]), (read) => read[name] === value)
    )
    const [line] = right
    if (line === undefined)
      return yield* new Fault(
        "ValueUnwritable",
        `${name} has characters that a .env cannot have. Set it in the environment of the nightly run instead, or choose another`
      )
    lines.push(line)
  }
  return `${lines.join("\n")}\n`
})

/** A file of the folder after `init`. Existing files are not changed; `differs` lists differences, one per line. */
export interface Put {
  readonly file: string
  readonly state: "written" | "same" | "left"
  readonly differs: ReadonlyArray<string>
}

type Compare = (there: string) => Effect.Effect<ReadonlyArray<string>>

/** Writes a missing file, or compares an existing one without changing it. */
export const putFile = (
  file: string,
  { compare, mode, text }: { readonly text: string; readonly mode: number; readonly compare?: Compare }
) => {
  const step = <A>(run: (disk: Disk) => Promise<A>) =>
    onDisk(
      run,
      (cause) =>
        new Fault(
          "FileUnwritable",
          `${file} cannot be written (${cause instanceof Error ? cause.message : String(cause)}). Check the owner and the permissions of its folder, or name another one`
        )
    )
  return Effect.gen(function* () {
    const isNew = yield* step((disk) =>
      disk.write(file, text, { exclusive: true, mode }).then(
        () => true,
        (cause: unknown) => {
          if (errorCode(cause) === "EEXIST") return false
          throw cause
        }
      )
    )
    if (isNew) return { file, state: "written", differs: [] } satisfies Put
    const differs = yield* (compare ?? linesApart(text))(yield* step((disk) => disk.readText(file)))
    return { file, state: differs.length === 0 ? "same" : "left", differs } satisfies Put
  })
}

/** Hides secrets, because users may have put a key into a schedule file. */
const withoutSecrets = (line: string): string => line.replace(/((?:key|secret|token|password)\w*\s*[:=]).*/i, "$1 …")

const linesApart =
  (text: string): Compare =>
  (there) =>
    Effect.sync(() =>
      diff(there.split("\n"), text.split("\n"))
        .filter(([side]) => side !== 0)
        .map(([side, line]) => `${side > 0 ? "there:    " : "would be: "} ${withoutSecrets(line)}`)
    )

/** Compares a `.env` by its settings. Keys and unrelated values are not shown. */
export const settingsApart =
  (chosen: Chosen): Compare =>
  (there) => {
    const settings = settingsChosen(chosen)
    return Effect.map(parseValues(there, Object.keys(settings)), (read) =>
      Object.entries(settings)
        .filter(([name, value]) => read[name] !== value)
        .flatMap(([name, value]) => {
          const isKey = name === "CARDLAKE_API_KEY"
          const current = read[name] === "" ? "nothing" : isKey ? "another key" : read[name]
          return [
            `there:     ${name} is ${current}`,
            `would be:  ${name} is ${isKey ? "the key that was given" : value}`
          ]
        })
    )
  }
