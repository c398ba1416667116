/** A test that takes long runs in `npm run test:full` alone: `it.runIf(isFull)`. */
export const isFull = process.env["TEST_MODE"] === "full"

/** All cases in `npm run test:full`; in `npm test` the few that stand for them. */
export const tried = <A>(all: ReadonlyArray<A>, isFew: (one: A, index: number) => boolean): ReadonlyArray<A> =>
  isFull ? all : all.filter(isFew)

/** How many random cases: all in `npm run test:full`, fewer in `npm test`. */
export const rounds = (all: number, few: number): number => (isFull ? all : few)
