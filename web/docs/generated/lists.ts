import { slug } from "github-slugger"
import type { SettingDeclaration } from "../../../src/config/Configuration.ts"
import { commands, usageOf } from "../../../src/telegram/Commands.ts"
import type { MetricDeclaration } from "../../../src/telemetry/Metrics.ts"
import { type Format, guideOf } from "../../../src/transfer/Format.ts"
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

/** Every product whose files can be imported, in alphabetical order, and then any file of a kind and Linkbower's own. */
export const importFormatsBlock = (formats: ReadonlyArray<Format>) => (): ReadonlyArray<Node> => {
  const rows = formats.flatMap(({ guides, name }) => guides.map((guide) => ({ ...guideOf(guide), name })))
  const isGeneral = (from: string) => from.startsWith("any ")
  rows.sort(
    (a, b) => Number(isGeneral(a.from)) - Number(isGeneral(b.from)) || a.from.localeCompare(b.from, "en")
  )
  rows.push({
    name: "linkbower",
    from: "Linkbower",
    file: "its own JSON",
    how: "[Export](#export)",
    keeps: "everything"
  })
  return [
    table(
      ["from", "file", "how to get it", "kept, besides address and title", "--format"],
      rows.map(({ file, from, how, keeps, name }) => [
        ...[from, file, how, keeps].map((text) => inlineMarkdown(text)),
        h("code", {}, name)
      ])
    )
  ]
}

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
