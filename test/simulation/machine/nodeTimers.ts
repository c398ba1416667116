import { processHere, worldHere } from "./World.ts"

/** Waits in the time of the world. */
export const setTimeout = (millis: number): Promise<void> => {
  const world = worldHere()
  const process = processHere()
  return new Promise((resolve) => {
    world.after(millis, process, resolve)
  })
}
