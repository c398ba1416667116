import { Duration } from "effect"

/** Two units are enough for an age: `1d 4h`. */
export const ageText = (millis: number): string =>
  millis < 1000
    ? "0s"
    : Duration.format(Duration.seconds(Math.floor(millis / 1000)))
        .split(" ")
        .slice(0, 2)
        .join(" ")
