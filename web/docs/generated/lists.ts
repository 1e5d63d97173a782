import { slug } from "github-slugger"
import type { SettingDeclaration } from "../../../src/config/Configuration.ts"
import { commands, usageOf } from "../../../src/telegram/Commands.ts"
import type { MetricDeclaration } from "../../../src/telemetry/Metrics.ts"
import { inlineMarkdown } from "../markdown.ts"
import { type Content, type Element, h, type Node } from "../tree.ts"

/** A table with a heading for each column. */
export const table = (columns: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<Content>>): Element =>
  h(
    "table",
    {},
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        columns.map((column) => h("th", { scope: "col" }, column))
      )
    ),
    h(
      "tbody",
      {},
      rows.map((row) =>
        h(
          "tr",
          {},
          row.map((cell) => h("td", {}, cell))
        )
      )
    )
  )

/** Every command of the bot with the description from its own help. */
export const botCommandsBlock = (): ReadonlyArray<Node> => [
  table(
    ["Command", "What it does"],
    commands.map((command) => [h("code", {}, usageOf(command)), command.description])
  )
]

/** Every metric with its Prometheus type and its labels. */
export const metricsBlock = (metrics: ReadonlyArray<MetricDeclaration>) => (): ReadonlyArray<Node> => [
  table(
    ["Metric", "Meaning"],
    metrics.map(({ kind, labels, meaning, name }) => [
      [
        h("code", {}, name),
        h(
          "div",
          { class: "quiet" },
          kind,
          labels.flatMap((label, at) => [at === 0 ? " by " : ", ", h("code", {}, label)])
        )
      ],
      inlineMarkdown(meaning)
    ])
  )
]

const badge = (kind: string, text: string) => h("span", { class: "badge", "data-kind": kind }, text)

const entry = (setting: SettingDeclaration, level: number): Node =>
  h(
    "section",
    { class: "entry" },
    h(`h${level}`, { id: slug(setting.name) }, h("code", {}, setting.name)),
    h(
      "p",
      { class: "traits" },
      setting.live ? badge("live", "live") : badge("start", "read at the start"),
      setting.secret ? badge("secret", "secret") : null,
      h("span", {}, setting.default === null ? "No default" : ["Default: ", h("code", {}, setting.default)])
    ),
    h("p", {}, inlineMarkdown(setting.meaning))
  )

/** Every setting, with its lower-case name as anchor. */
export const settingsBlock =
  (settings: ReadonlyArray<SettingDeclaration>) =>
  (level: number): ReadonlyArray<Node> =>
    settings.map((setting) => entry(setting, level))
