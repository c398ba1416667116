import { Context } from "effect"
import type { FaultPlan, FaultKind, FaultRule } from "./FaultPlan.ts"
import type { AskedRequest } from "./askedRequest.ts"
import { seededNumber } from "../catalogue/seededNumber.ts"

/** A fault that is about to be injected. */
export interface DrawnFault {
  readonly rule: FaultRule
  /**
   * A number from 0 to 1 for a choice that the rule leaves open; the same for the same seed, request and repetition.
   */
  readonly draw: (choice: string) => number
  /** It happened. */
  readonly done: () => void
  /** It does not apply to this answer: as if it had not been drawn. */
  readonly passed: () => void
}

/** What a sandbox injected so far. */
export interface InjectedFaults {
  readonly counts: Readonly<Partial<Record<FaultKind, number>>>
  /** In the order of their happening. */
  readonly list: ReadonlyArray<{ readonly request: string; readonly kind: FaultKind }>
}

/** Decides which fault strikes which request, and keeps count. */
export interface FaultLedger {
  /** Counts the request and draws its fault, undefined for none. Called once per request. */
  readonly draw: (asked: AskedRequest) => DrawnFault | undefined
  readonly injected: () => InjectedFaults
  /** How often each request (method, path, query, body) came. */
  readonly requests: () => ReadonlyMap<string, number>
}

const isMeantFor = ({ endpoint = "*", game, offset }: FaultRule, asked: AskedRequest): boolean =>
  (endpoint === "*" || endpoint === asked.endpoint) &&
  // A redeploy names the game to deploy where the request names none.
  (game === undefined || game === (asked.gameId ?? game)) &&
  (offset === undefined || offset === asked.offset)

/** A ledger with nothing counted yet. */
export const makeFaultLedger = ({ mostInARow = Infinity, rules = [], seed = 1 }: FaultPlan): FaultLedger => {
  const requests = new Map<string, number>()
  const inARow = new Map<string, number>()
  const counts: Partial<Record<FaultKind, number>> = {}
  const list: Array<{ readonly request: string; readonly kind: FaultKind }> = []
  const states = rules.map((rule) => ({ rule, asked: 0, struck: 0 }))

  const drawFor = (asked: AskedRequest): DrawnFault | undefined => {
    const { identity } = asked
    const repetition = (requests.get(identity) ?? 0) + 1
    requests.set(identity, repetition)
    const before = inARow.get(identity) ?? 0
    let struck: DrawnFault | undefined
    for (const [place, state] of states.entries()) {
      const { rule } = state
      if (!isMeantFor(rule, asked)) continue
      state.asked += 1
      if (struck !== undefined || before >= mostInARow || state.struck >= (rule.times ?? Infinity)) continue
      const draw = (choice: string) => seededNumber(seed, place, choice, identity, repetition)
      const rate = rule.rate ?? (rule.at === undefined ? 1 : 0)
      if (!rule.at?.includes(state.asked) && draw("rate") >= rate) continue
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
    draw: drawFor,
    injected: () => ({ counts: { ...counts }, list: [...list] }),
    requests: () => new Map(requests)
  }
}

/** Which plan holds, whether it is on, and what it did; the control routes change it. */
export class Faults extends Context.Service<
  Faults,
  {
    readonly isOn: () => boolean
    readonly plan: () => FaultPlan
    /** What the plan counted so far. */
    readonly ledger: () => FaultLedger
    /** The same while faults are on; else requests pass, uncounted. */
    readonly current: () => FaultLedger | undefined
    /** Another plan, which is on and has counted nothing. */
    readonly replace: (plan: FaultPlan) => void
    readonly turn: (isOn: boolean) => void
  }
>()("cardlake/sandbox/Faults") {}

/** Without a plan they are off. */
export const makeFaults = (atStart: FaultPlan | undefined): Faults["Service"] => {
  let isOn = atStart !== undefined
  let plan = atStart ?? {}
  let ledger = makeFaultLedger(plan)
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
