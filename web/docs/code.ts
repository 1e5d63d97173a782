import { type Element, h, type Node, textOf } from "./tree.ts"

/** Languages whose remarks begin with `#`. */
const hashRemarks = new Set([
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

/** A line of code, with a remark set apart where it is one from its first letter on. */
const codeLine = (line: string, language: string): ReadonlyArray<Node> =>
  hashRemarks.has(language) && /^\s*#/.test(line) ? [h("span", { class: "remark" }, line)] : [line]

/** A block of code that scrolls inside itself; the page's script adds a button that copies it. */
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
        lines.flatMap((line, at) => [...(at === 0 ? [] : ["\n"]), ...codeLine(line, language)])
      )
    )
  )
}

/** The code of a parsed block. */
export const codeOf = (pre: Element): Element => {
  const language = pre.attributes["data-language"]
  return codeBlock(pre.children.map(textOf).join(""), typeof language === "string" ? language : "")
}
