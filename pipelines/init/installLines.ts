import { join } from "node:path"
import { shellWord } from "../../src/feed/contract/shellWord.ts"
import { isInstalled } from "../settings/isInstalled.ts"
import type { Chosen } from "./chosenSettings.ts"
import { programWords } from "./scheduleTexts.ts"

/** The commands that come next, for a person to run. */
export interface InstallLines {
  readonly first: string
  readonly systemd: ReadonlyArray<string>
  readonly cron: ReadonlyArray<string>
  readonly kubernetes: ReadonlyArray<string>
}

export const installLines = ({ folder }: Chosen): InstallLines => {
  const program = isInstalled ? "cardlake" : programWords().map(shellWord).join(" ")
  const file = (name: string): string => shellWord(join(folder, name))
  return {
    first: `cd ${shellWord(folder)} && ${program} nightly`,
    systemd: [
      `sudo cp ${file("cardlake.service")} ${file("cardlake.timer")} /etc/systemd/system/`,
      "sudo systemctl daemon-reload && sudo systemctl enable --now cardlake.timer"
    ],
    cron: [`(crontab -l 2>/dev/null; cat ${file("crontab")}) | crontab -`],
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
