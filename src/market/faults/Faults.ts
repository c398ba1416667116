import { Context, type Effect } from "effect"
import type { FaultPlan, FaultRule, Where } from "./FaultPlan.ts"
import type { FaultRequest } from "./readFaultRequest.ts"
import { seededNumber } from "../catalogue/seededNumber.ts"

/** What a rule of a test can use to change an answer. */
export interface AnswerTools {
  /** Draws a number from 0 to 1 for a choice. */
  readonly draw: (choice: string) => number
  readonly call: FaultRequest
  readonly url: string
  /** Returns the text that the operation answers for another address and body. */
  readonly answerTo: (url: string, body: string | undefined) => Effect.Effect<string>
}

/** A rule of a test that serves the sandbox in its own process: a kind of its own, which changes the text of answers. */
export interface TestRule extends Where {
  readonly kind: string
  /** Returns the other text; undefined if the rule does not apply. */
  readonly change: (text: string, tools: AnswerTools) => Effect.Effect<string | undefined>
}

/** A plan of a test, which may have rules of its own. */
export interface TestPlan extends Omit<FaultPlan, "rules"> {
  readonly rules?: ReadonlyArray<FaultRule> | ReadonlyArray<FaultRule | TestRule>
}

/** Returns a plan without the rules of a test, as control routes show it. */
export const plainPlan = ({ rules, ...plan }: TestPlan): FaultPlan => ({
  ...plan,
  ...(rules === undefined ? {} : { rules: rules.flatMap((rule) => ("change" in rule ? [] : [rule])) })
})

/** A drawn fault that is not injected yet. */
export interface DrawnFault<Rule = FaultRule | TestRule> {
  readonly rule: Rule
  /** Draws a number from 0 to 1 for an unspecified choice. It depends on the seed, the request and its repetition. */
  readonly draw: (choice: string) => number
  /** Records that the fault was injected. */
  readonly done: () => void
  /** Cancels the draw because the fault does not apply to this answer. */
  readonly passed: () => void
}

/** The faults injected so far. */
export interface InjectedFaults {
  readonly counts: Readonly<Record<string, number>>
  /** Injected faults in order. */
  readonly list: ReadonlyArray<{ readonly request: string; readonly kind: string }>
}

const isMeantFor = ({ endpoint = "*", game, kind, offset }: FaultRule | TestRule, call: FaultRequest): boolean =>
  (endpoint === "*" || endpoint === call.endpoint) &&
  // A redeploy supplies its own game if the request names none.
  (game === undefined || game === (call.gameId ?? (kind === "redeploy" ? game : undefined))) &&
  (offset === undefined || offset === call.offset)

/** Creates an empty ledger, which chooses the fault of each request and counts both. */
export const makeFaultLedger = ({ maxConsecutive = Infinity, rules = [], seed = 1 }: TestPlan) => {
  const requests = new Map<string, number>()
  const inARow = new Map<string, number>()
  const counts: Record<string, number> = {}
  const list: Array<{ readonly request: string; readonly kind: string }> = []
  const states = rules.map((rule) => ({ rule, requests: 0, struck: 0 }))

  const drawFor = (call: FaultRequest): DrawnFault | undefined => {
    const { identity } = call
    const repetition = (requests.get(identity) ?? 0) + 1
    requests.set(identity, repetition)
    const before = inARow.get(identity) ?? 0
    let struck: DrawnFault | undefined
    for (const [place, state] of states.entries()) {
      const { rule } = state
      if (!isMeantFor(rule, call)) continue
      state.requests += 1
      if (struck !== undefined || before >= maxConsecutive || state.struck >= (rule.times ?? Infinity)) continue
      const draw = (choice: string) => seededNumber(seed, place, choice, identity, repetition)
      const rate = rule.rate ?? (rule.at === undefined ? 1 : 0)
      if (!rule.at?.includes(state.requests) && draw("rate") >= rate) continue
      state.struck += 1
      struck = {
        rule,
        draw,
        done: () => {
          counts[rule.kind] = (counts[rule.kind] ?? 0) + 1
          list.push({ request: identity, kind: rule.kind })
        },
        passed: () => {
          state.struck -= 1
          inARow.set(identity, before)
        }
      }
    }
    inARow.set(identity, struck === undefined ? 0 : before + 1)
    return struck
  }
  return {
    /** Counts the request and draws its fault; undefined if none. Called once per request. */
    draw: drawFor,
    injected: (): InjectedFaults => ({ counts: { ...counts }, list: [...list] }),
    /** How often each request (method, path, query, body) arrived. */
    requests: (): ReadonlyMap<string, number> => new Map(requests)
  }
}
export type FaultLedger = ReturnType<typeof makeFaultLedger>

/** The current fault plan, its state and its counts. Control routes change it. */
export class Faults extends Context.Service<
  Faults,
  {
    readonly isOn: () => boolean
    readonly plan: () => FaultPlan
    /** The counts of the plan. */
    readonly ledger: () => FaultLedger
    /** The ledger while faults are on; undefined while requests pass uncounted. */
    readonly current: () => FaultLedger | undefined
    /** Starts another plan with empty counts. */
    readonly replace: (plan: FaultPlan) => void
    readonly turn: (isOn: boolean) => void
  }
>()("cardlake/sandbox/Faults") {}

/** Faults are off without a plan. */
export const makeFaults = (atStart: TestPlan | undefined): Faults["Service"] => {
  let isOn = atStart !== undefined
  let plan = plainPlan(atStart ?? {})
  let ledger = makeFaultLedger(atStart ?? {})
  return {
    isOn: () => isOn,
    plan: () => plan,
    ledger: () => ledger,
    current: () => (isOn ? ledger : undefined),
    replace: (other) => {
      plan = other
      ledger = makeFaultLedger(other)
      isOn = true
    },
    turn: (on) => {
      isOn = on
    }
  }
}
