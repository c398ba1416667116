import { it, layer } from "@effect/vitest"
import { Effect, Layer, type Scope } from "effect"

type Steps<R> = Generator<Effect.Effect<unknown, unknown, R | Scope.Scope>, unknown, never>
type Body<R> = () => Steps<R> | Effect.Effect<unknown, unknown, R | Scope.Scope>

/** A body that gets an empty folder. */
export type FolderBody<R> = (folder: string) => Steps<R>

const run = <R>(body: Body<R>): Effect.Effect<unknown, unknown, R | Scope.Scope> =>
  Effect.suspend(() => {
    const made = body()
    return Effect.isEffect(made) ? made : Effect.gen(() => made)
  })

/** Defines a test: its body is an effect, or a generator of effects. */
export interface Test<R> {
  (name: string, body: Body<R>, timeout?: number): void
  readonly skipIf: (isSkipped: boolean) => (name: string, body: Body<R>, timeout?: number) => void
}

/** Tests that share what a layer makes, on the real clock. */
export const suite = <R, E>(made: Layer.Layer<R, E>, name: string, define: (test: Test<R>) => void) =>
  layer(made, { excludeTestServices: true })(name, ({ effect }) => {
    const test = (name: string, body: Body<R>, timeout?: number) => effect(name, () => run(body), timeout)
    const skipIf =
      (isSkipped: boolean): typeof test =>
      (name, body, timeout) =>
        effect.skipIf(isSkipped)(name, () => run(body), timeout)
    define(Object.assign(test, { skipIf }))
  })

/** A test for which the layer is made anew, on the real clock. */
export const testIn =
  <R, E>(made: Layer.Layer<R, E>) =>
  (name: string, body: Body<R>, timeout?: number) =>
    it.live(name, () => Effect.provide(run(body), made), timeout)

/** A test that needs no services, on the real clock. */
export const live = testIn(Layer.empty)
