import * as Effect from "effect/Effect"
import * as Random from "effect/Random"

export const randomHex = (bytes: number): Effect.Effect<string> =>
  Effect.map(
    Effect.forEach(Array.from({ length: bytes }), () => Random.nextIntBetween(0, 255)),
    (numbers) => Buffer.from(numbers).toString("hex")
  )

export const randomUuid = Effect.map(randomHex(16), (hex) =>
  hex.replace(
    /^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/,
    (_, a: string, b: string, c: string, d: string, e: string) => `${a}-${b}-4${c}-a${d}-${e}`
  )
)
