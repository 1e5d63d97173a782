import { type Content, type Element, h } from "./tree.ts"

/** Languages whose comments begin with `#`. */
const hashComments = new Set([
  "sh",
  "bash",
  "console",
  "ini",
  "systemd",
  "env",
  "dotenv",
  "yaml",
  "yml",
  "toml"
])

/** A line of code; a line that is entirely a comment gets a span of its class. */
const codeLine = (line: string, language: string): Content =>
  hashComments.has(language) && /^\s*#/.test(line) ? h("span", { class: "remark" }, line) : line

/** A scrollable code block; the page's script adds a copy button. */
export const codeBlock = (text: string, language = ""): Element => {
  const lines = text.replace(/\n+$/, "").split("\n")
  return h(
    "div",
    { class: "code" },
    h(
      "pre",
      { tabindex: "0" },
      h(
        "code",
        {},
        lines.map((line, at) => [at === 0 ? "" : "\n", codeLine(line, language)])
      )
    )
  )
}
