import type { World } from "../world/World.ts"

/** Makes what several facts look at: once in a world. */
export const once = <Made>(make: (world: World) => Promise<Made>): ((world: World) => Promise<Made>) => {
  const made = new WeakMap<World, Promise<Made>>()
  return (world) => {
    const found = made.get(world) ?? make(world)
    made.set(world, found)
    return found
  }
}
