import { Effect, Layer, Scope } from "effect"

/**
 * A layer that the test files of a process share, which change nothing of it: it is built for the
 * first of them and ends with the process, whose folder of homes is removed then.
 */
export const builtOnce = <A, E>(layer: Layer.Layer<A, E>): Layer.Layer<A, E> =>
  Layer.effectContext(
    Effect.runSync(Effect.cached(Layer.buildWithMemoMap(layer, Layer.makeMemoMapUnsafe(), Scope.makeUnsafe())))
  )
