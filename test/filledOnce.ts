import { Effect, Layer, type Scope } from "effect"
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { type emptyHome, homeAt } from "./store/lake/handMadeNights.ts"

/**
 * Returns a folder that is filled once for all processes of a run and removed with it: the process that makes it fills
 * it, the others wait. Nobody changes it afterwards.
 */
export const filledOnce = <E, R>(name: string, fill: (folder: string) => Effect.Effect<unknown, E, R>) =>
  Effect.gen(function* () {
    // Elsewhere the temporary folder outlives the run.
    if (process.env["TEST_MODE"] === undefined) return yield* Effect.die("Only tests share folders")
    const folder = join(tmpdir(), `filled [${name}] {a,b}`)
    const whole = `${folder}.whole`
    while (!existsSync(whole)) {
      if (mkdirSync(folder, { recursive: true }) === undefined) {
        yield* Effect.promise(() => setTimeout(50))
        continue
      }
      yield* Effect.onError(fill(folder), () => Effect.sync(() => rmSync(folder, { recursive: true, force: true })))
      writeFileSync(whole, "")
    }
    return folder
  })

type Fill<E> = Effect.Effect<unknown, E, Layer.Success<typeof emptyHome> | Scope.Scope>

const homeFilledOnce = <E>(name: string, fill: Fill<E>) =>
  filledOnce(name, (folder) => fill.pipe(Effect.scoped, Effect.provide(Layer.fresh(homeAt(folder)))))

/** The services of a home that these steps fill once for all processes of a run, which only read it. */
export const filledHome = <E>(name: string, fill: Fill<E>) =>
  Layer.unwrap(Effect.map(homeFilledOnce(name, fill), homeAt))

/** The services of a copy of such a home, which may be changed; its lake reads the histories of the original. */
export const copiedHome = <E>(name: string, fill: Fill<E>) =>
  Layer.unwrap(
    Effect.map(homeFilledOnce(name, fill), (filled) => {
      const copy = mkdtempSync(join(tmpdir(), "cardlake [copy] {a,b} "))
      cpSync(filled, copy, { recursive: true })
      return homeAt(copy)
    })
  )
