import { expect, test } from "bun:test"
import { highlighted } from "../../../web/docs/highlight.ts"
import { h, inOneLine, textOf, toHtml } from "../../../web/docs/tree.ts"

/** A text with each token as `[kind text]`. */
const marked = (text: string, language: string) =>
  toHtml(h("code", {}, highlighted(text, language)))
    .replace(/^<code>|<\/code>$/g, "")
    .replace(/<span class="(\w+)">([^<]*)<\/span>/g, "[$1 $2]")

for (const [language, text, expected] of [
  [
    "sh",
    "docker run -d -e HOST=0.0.0.0 \\\n  ghcr.io/x # why",
    "[word docker] run [value -d] [value -e] [name HOST]=0.0.0.0 \\\n  ghcr.io/x [remark # why]"
  ],
  [
    "sh",
    "printf %s \"$A\" | sudo tee '#x'",
    "[word printf] %s [string \"$A\"] | [word sudo] [word tee] [string '#x']"
  ],
  [
    "ini",
    "# why\n[Unit]\nUser=me # not a remark",
    "[remark # why]\n[word [Unit]]\n[name User]=me # not a remark"
  ],
  ["yaml", "a:\n  - b: true # why\n  - 1:2", "[name a]:\n  - [name b]: true [remark # why]\n  - 1:2"],
  ["json", '{"a": [1, null, "b"]}', '{[name "a"]: [[value 1], [value null], [string "b"]]}'],
  [
    "nginx",
    "listen 443; # why\nset x $host;",
    "[word listen] 443; [remark # why]\n[word set] x [variable $host];"
  ],
  ["js", 'const a = "b" // why', '[word const] a = [string "b"] [remark // why]'],
  ["text", "# a 'b'", "# a 'b'"]
] as const)
  test(`marks the tokens of ${language}: ${inOneLine(text)}`, () => {
    expect(marked(text, language)).toBe(expected)
    expect(textOf(h("code", {}, highlighted(text, language)))).toBe(text)
  })
