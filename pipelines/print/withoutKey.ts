import { Observation } from "../../src/night/observe/Observation.ts"
import * as Config from "effect/Config"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { makeScrub } from "../../src/feed/client/scrub.ts"
import { settingsProvider } from "../settings/settingsProvider.ts"

/** Removes the API key from a text. If the setting cannot be read, the command that needs it reports the error. */
const keyScrub = settingsProvider({}).pipe(
  Effect.flatMap((provider) => Config.Redacted("CARDLAKE_API_KEY").parse(provider)),
  Effect.map((key) => makeScrub(Redacted.value(key).trim())),
  Effect.catch(() => Effect.succeed((text: string) => text))
)

const printable =
  (scrub: (text: string) => string, print: (...values: ReadonlyArray<unknown>) => void) =>
  (...values: ReadonlyArray<unknown>) =>
    print(...values.map((value) => (typeof value === "string" ? scrub(value) : value)))

/** Runs a program without showing the key: prints are scrubbed here, requests and files by {@link Observation}. */
const scrubbed =
  (scrub: (text: string) => string) =>
  <A, E, R>(program: Effect.Effect<A, E, R>) =>
    Console.consoleWith((console) =>
      program.pipe(
        Effect.updateService(Observation, (one) => ({ ...one, scrub })),
        Effect.provideService(Console.Console, {
          ...console,
          log: printable(scrub, console.log),
          error: printable(scrub, console.error)
        })
      )
    )

export const withoutKey = <A, E, R>(program: Effect.Effect<A, E, R>) =>
  Effect.flatMap(keyScrub, (scrub) => scrubbed(scrub)(program))

/** Runs a program that never shows this key, which is not in the settings. */
export const withoutThisKey = (key: Redacted.Redacted) => scrubbed(makeScrub(Redacted.value(key)))
