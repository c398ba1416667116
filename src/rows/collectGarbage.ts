import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

/** Gives the memory of what is no longer used back to the system. Takes a tenth of a second; Node has no call for it, V8 has. */
export const collectGarbage = (): void => {
  setFlagsFromString("--expose-gc")
  const gc: unknown = runInNewContext("gc")
  if (typeof gc === "function") gc({ type: "major", execution: "sync", flavor: "last-resort" })
}
