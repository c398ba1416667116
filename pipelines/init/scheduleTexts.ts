import * as Cron from "effect/Cron"
import { ownText } from "../../src/feed/disk/ownText.ts"
import { userInfo } from "node:os"
import { shellWord } from "../../src/feed/contract/shellWord.ts"
import { parseCron } from "../settings/readSchedule.ts"
import { type Chosen, zoneHere } from "./chooseSettings.ts"
import { join } from "node:path"
import { isInstalled } from "../settings/services.ts"

const service = new URL("../schedules/cardlake.service", import.meta.url)
const failed = new URL("../schedules/cardlake-failed.service", import.meta.url)
const timer = new URL("../schedules/cardlake.timer", import.meta.url)
const crontab = new URL("../schedules/crontab", import.meta.url)
const cronjob = new URL("../schedules/cronjob.yaml", import.meta.url)

/** Replaces the placeholders of the example. A missing placeholder is a defect of the example. */
const fillExample = (example: URL, parts: ReadonlyArray<readonly [RegExp, string]>): string =>
  parts.reduce((text, [part, own]) => {
    if (!part.test(text)) throw new Error(`${example.pathname} has nothing like ${part}`)
    return text.replace(part, () => own)
  }, ownText(example))

/** Quotes a word for systemd: `%` begins a specifier, and in a command `$` begins a variable. */
const unitWord = (word: string): string => {
  const escaped = word.replaceAll("%", "%%")
  return /^[\w./:@%+=-]+$/.test(escaped) ? escaped : `"${escaped.replaceAll(/["\\]/g, String.raw`\$&`)}"`
}
const commandWord = (word: string): string => unitWord(word.replaceAll("$", "$$$$"))

/** Returns the user who runs this and owns the `.env`. In a container the user may have no name. */
const userHere = (): string => {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? 0)
  }
}

/** Returns the command that started this program: the installed one or the checkout's. */
export const programWords = (): ReadonlyArray<string> => [process.execPath, process.argv[1] ?? ""]

/** Returns the schedule files by name, generated from the examples. */
export const scheduleTexts = (chosen: Chosen): Readonly<Record<string, string>> => {
  const { folder, home, hour, url, zone } = chosen
  const program = programWords()
  const at = `${String(hour).padStart(2, "0")}:00`
  // A crontab uses this machine's clock.
  const here = Cron.next(parseCron(`0 ${hour} * * *`, zone), new Date())
  const when =
    zone === zoneHere()
      ? `# minute hour day month weekday: every day at ${at}, in the time zone of the machine.`
      : `# minute hour day month weekday: ${at} in ${zone}, by the clock of this machine, as it was when this was written.
# cron does not follow the summer time of another zone: correct it by hand, or use the timer of systemd.`
  const line =
    `cd ${shellWord(folder)} && ${program.map(shellWord).join(" ")} nightly --json >> nights.jsonl`.replaceAll(
      "%",
      String.raw`\%`
    )
  const unitParts: ReadonlyArray<readonly [RegExp, string]> = [
    [/(?<=^User=).*$/m, userHere()],
    [/(?<=^WorkingDirectory=).*$/m, folder.replaceAll("%", "%%")]
  ]
  return {
    "cardlake.service": fillExample(service, [
      ...unitParts,
      [
        /^#.*\nEnvironmentFile=.*\nEnvironment=.*$/m,
        "# CARDLAKE_URL, CARDLAKE_API_KEY and CARDLAKE_HOME are in the .env there."
      ],
      [/(?<=^ExecStart=).*(?= nightly )/m, program.map(commandWord).join(" ")],
      [/(?<=^ReadWritePaths=).*$/m, unitWord(`-${home}`)]
    ]),
    "cardlake-failed.service": fillExample(failed, [
      ...unitParts,
      [/^Environment=.*\n/m, ""],
      [/(?<=^ExecStart=).*(?= status$)/m, program.map(commandWord).join(" ")]
    ]),
    "cardlake.timer": fillExample(timer, [
      [/every night at three/, `every day at ${at}`],
      [/(?<=^OnCalendar=).*$/m, `*-*-* ${at}:00 ${zone}`]
    ]),
    crontab: fillExample(crontab, [
      [/^#.*$/m, when],
      [/^0 3 \* \* \* .*$/m, `${here.getMinutes()} ${here.getHours()} * * * ${line}`]
    ]),
    "cronjob.yaml": fillExample(cronjob, [
      // The key is only in the .env.
      [/^[^]*?kind: Secret[^]*?\n---\n/, ""],
      [/(?<=^ {2}schedule: ).*$/m, JSON.stringify(`0 ${hour} * * *`)],
      [/(?<=^ {2}timeZone: ).*$/m, zone],
      [/(?<=name: CARDLAKE_URL\n +value: ).*$/m, JSON.stringify(url)]
    ])
  }
}

/** Returns the commands that the user runs next. */
export const installLines = ({ folder }: Chosen) => {
  const program = isInstalled ? "cardlake" : programWords().map(shellWord).join(" ")
  const file = (name: string): string => shellWord(join(folder, name))
  return {
    first: `cd ${shellWord(folder)} && ${program} nightly`,
    systemd: [
      `sudo cp ${["cardlake.service", "cardlake-failed.service", "cardlake.timer"].map(file).join(" ")} /etc/systemd/system/`,
      "sudo systemctl daemon-reload && sudo systemctl enable --now cardlake.timer"
    ],
    // Lines that the crontab has already are not added again.
    cron: [`(crontab -l 2>/dev/null | grep -vxFf ${file("crontab")}; cat ${file("crontab")}) | crontab -`],
    kubernetes: [
      `grep ^CARDLAKE_API_KEY= ${file(".env")} | kubectl create secret generic cardlake --from-env-file=/dev/stdin`,
      `kubectl apply -f ${file("cronjob.yaml")}   # after naming your image in it`
    ]
  }
}

export const installText = (chosen: Chosen): string => {
  const { cron, first, kubernetes, systemd } = installLines(chosen)
  const way = (name: string, lines: ReadonlyArray<string>): string => [`  ${name}`, ...lines].join("\n    ")
  const [, script = ""] = programWords()
  return [
    ...(script.includes("/_npx/")
      ? ["npx may remove the program that these files start. Install it with npm install --global, then run this again"]
      : []),
    "The first night, now:",
    `  ${first}`,
    "Every night, by one of these:",
    way("systemd", systemd),
    way("cron", cron),
    way("Kubernetes", kubernetes)
  ].join("\n")
}
