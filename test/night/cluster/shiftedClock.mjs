// Loaded before a program: the clock of its machine is wrong by so many milliseconds. What counts on from its start
// (performance.now, timers) is right, as on a real machine.
const shift = Number(process.env.CLOCK_SHIFT_MILLIS)
const RightDate = Date
const now = () => RightDate.now() + shift

globalThis.Date = class Date extends RightDate {
  constructor(...parts) {
    if (parts.length === 0) super(now())
    else super(...parts)
  }
  static now = now
}
const { timeOrigin } = performance
Object.defineProperty(performance, "timeOrigin", { get: () => timeOrigin + shift })
