import { Effect, Layer } from "effect"
import { runRepair } from "./runRepair.ts"
import { lakeServices } from "./services.ts"

/** Mends the home that the flags name, and says for a person what was done. */
export const repairWithServices = Effect.fnUntraced(function* (flags: Record<string, string>) {
  const services = yield* Layer.build(lakeServices(flags))
  const { done, left } = yield* Effect.provideContext(runRepair(), services)
  const text = [
    ...done.map((what) => `mended: ${what}`),
    ...left.map((what) => `left: ${what}`),
    done.length + left.length === 0 ? "Nothing is damaged" : `${done.length} mended, ${left.length} left as they are`
  ].join("\n")
  return { done, left, text }
}, Effect.scoped)
