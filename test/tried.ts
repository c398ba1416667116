/** All cases in `npm run test:full`; in `npm test` the few that stand for them. */
export const tried = <A>(all: ReadonlyArray<A>, isFew: (one: A, index: number) => boolean): ReadonlyArray<A> =>
  process.env["TEST_MODE"] === "full" ? all : all.filter(isFew)

/** How many random cases: all in `npm run test:full`, fewer in `npm test`. */
export const rounds = (all: number, few: number): number => (process.env["TEST_MODE"] === "full" ? all : few)
