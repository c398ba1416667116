import type { Fault } from "./machine/World.ts"

/** One step of a history. A step that does not apply, such as a release with nothing held, does nothing. */
export type Step =
  | { readonly does: "deploy"; readonly game: string; readonly isOdd: boolean }
  | { readonly does: "break"; readonly game: string }
  | { readonly does: "wait"; readonly minutes: number }
  | { readonly does: "lose power" }
  | RunStep

/** A command that a process runs. */
export interface RunStep {
  readonly does: "run"
  readonly command: string
  readonly games: ReadonlyArray<string>
  readonly host: number
  /** Milliseconds by which the clock of the machine is ahead. */
  readonly clockAhead: number
  readonly fault: Fault | null
  /** After so many milliseconds the next step begins; null: after the command has ended. */
  readonly goesOnAfter: number | null
}

/** What is done in a world, and the seed of everything that the steps leave open. */
export interface History {
  readonly seed: number
  readonly kind: string
  readonly steps: ReadonlyArray<Step>
}

/** What an oracle found. A driver outside of Effect throws it. */
// @effect-diagnostics-next-line extendsNativeError:off
export class Violation extends Error {
  readonly oracle: string
  constructor(oracle: string, what: string) {
    super(`${oracle}: ${what}`)
    this.oracle = oracle
  }
}

/** How a history ended: null if every oracle agreed. */
export interface Outcome {
  readonly violation: Violation | null
  readonly trace: ReadonlyArray<string>
  readonly operations: number
}

export const textOfStep = (step: Step): string => {
  if (step.does !== "run") return JSON.stringify(step)
  const { clockAhead, command, fault, games, goesOnAfter, host } = step
  return [
    `${command} ${games.join(" ")} on host ${host}`,
    ...(clockAhead === 0 ? [] : [`clock ahead by ${clockAhead} ms`]),
    ...(fault === null
      ? []
      : [`${fault.kind} at operation ${fault.at}${fault.kind === "freeze" ? ` for ${fault.millis} ms` : ""}`]),
    ...(goesOnAfter === null ? [] : [`the next step begins after ${goesOnAfter} ms`])
  ].join(", ")
}

/**
 * Removes steps and faults as long as the same oracle still finds something. What a seed leaves open changes with every step that
 * goes, so the shortest history may show the bug in another way.
 */
export const shrink = async (history: History, run: (history: History) => Promise<Outcome>): Promise<History> => {
  const first = (await run(history)).violation
  const fails = async (steps: ReadonlyArray<Step>) =>
    (await run({ ...history, steps })).violation?.oracle === first?.oracle
  let steps = history.steps
  for (let size = Math.ceil(steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < steps.length;) {
      const fewer = [...steps.slice(0, at), ...steps.slice(at + size)]
      if (await fails(fewer)) steps = fewer
      else at += size
    }
  }
  for (const [at, step] of steps.entries()) {
    const simpler: ReadonlyArray<Step> =
      step.does === "run"
        ? [
            { ...step, fault: null, clockAhead: 0, goesOnAfter: null },
            { ...step, fault: null },
            { ...step, clockAhead: 0 }
          ]
        : []
    for (const one of simpler) {
      const next = steps.with(at, one)
      if (await fails(next)) {
        steps = next
        break
      }
    }
  }
  return { ...history, steps }
}
