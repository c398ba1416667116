import { it, layer, type Vitest } from "@effect/vitest"
import { Cause, Context, Effect, Exit, Layer, type Scope } from "effect"
import type { TestContext, TestOptions } from "vitest"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { isFull } from "../tried.ts"

// oxlint-disable-next-line typescript/no-explicit-any
type Steps<R> = Generator<Effect.Effect<any, any, R | Scope.Scope>, unknown, never>
type Body<R> = (context: TestContext) => Steps<R> | Effect.Effect<unknown, unknown, R | Scope.Scope>
type Define<R> = (name: string, body: Body<R>, options?: number | TestOptions) => void

/** A body that gets an empty folder. */
export type FolderBody<R> = (folder: string) => Steps<R>

const run = <R>(body: () => ReturnType<Body<R>>): Effect.Effect<unknown, unknown, R | Scope.Scope> =>
  Effect.suspend(() => {
    const made = body()
    return Effect.isEffect(made) ? made : Effect.gen(() => made)
  })

/** Defines a test: its body is an effect, or a generator of effects. */
export interface Test<R> extends Define<R> {
  readonly skipIf: (isSkipped: boolean) => Define<R>
  /** Defines a test that only `npm run test:full` runs. */
  readonly full: Define<R>
}

/** Defines tests of the form that `it.effect` and `it.live` define. */
export const testOf = <R>(tester: Vitest.Tester<R | Scope.Scope>): Test<R> => {
  const define =
    (test: Vitest.Test<R | Scope.Scope>): Define<R> =>
    (name, body, options) =>
      test(name, (context) => run(() => body(context)), options)
  const skipIf = (isSkipped: boolean) => define(tester.skipIf(isSkipped))
  return Object.assign(define(tester), { skipIf, full: skipIf(!isFull) })
}

/** Tests that share what a layer makes, on the real clock. */
export const suite = <R, E>(made: Layer.Layer<R, E>, name: string, define: (test: Test<R>) => void) =>
  layer(made, { excludeTestServices: true })(name, ({ effect }) => define(testOf(effect)))

/** A test for which the layer is made anew, on the real clock. */
export const testIn = <R, E>(made: Layer.Layer<R, E>): Define<R> & { readonly full: Define<R> } => {
  const define =
    (test: Define<never>): Define<R> =>
    (name, body, options) =>
      test(
        name,
        (context) =>
          Effect.provide(
            run(() => body(context)),
            made
          ),
        options
      )
  return Object.assign(define(live), { full: define(live.full) })
}

/** A test that needs no services, on the real clock. */
export const live = testOf<never>(it.live)

/** A test that needs no services, on the test clock. */
export const effect = testOf<never>(it.effect)

/** What the tests of a suite share: its `layer` makes it once, and each test yields it. */
// oxlint-disable-next-line typescript/no-explicit-any
export const shared = <Eff extends Effect.Effect<any, any, any>, A>(
  name: string,
  make: () => Generator<Eff, A, never>
) => {
  class Shared extends Context.Service<Shared, A>()(`cardlake/test/${name}`) {
    static readonly layer = Layer.effect(Shared, Effect.gen(make))
  }
  return Shared
}

/** An empty folder whose name begins so; it is removed with the scope. */
export const folderNamed = (name: string) =>
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), name))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )

/** An empty folder that is removed with the scope. */
export const newFolder = folderNamed("cardlake-test-")

/** Returns why something fails, as a text; "done" if it does not. */
export const failureOf = <A, E, R>(run: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.exit(run), (exit) => (Exit.isFailure(exit) ? String(Cause.squash(exit.cause)) : "done"))
