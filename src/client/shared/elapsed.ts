/** So far ahead, the wall clock has gone on while the machine slept, or was set. */
const jumpMillis = 1000

/** Time that never goes back, as the monotonic clock has it, and goes on while the machine sleeps: then it stands still. */
export const makeElapsed = (wallMillis: () => number) => {
  let monotonic = performance.now()
  let wall = wallMillis()
  let slept = 0
  return (): number => {
    const now = performance.now()
    const wallNow = wallMillis()
    const ahead = wallNow - wall - (now - monotonic)
    if (ahead > jumpMillis) slept += ahead
    wall = wallNow
    monotonic = now
    return now + slept
  }
}
