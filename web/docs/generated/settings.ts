import { slug } from "github-slugger"
import type { SettingDeclaration } from "../../../src/config/Configuration.ts"
import { inlineMarkdown } from "../markdown.ts"
import { h, type Node } from "../tree.ts"

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
