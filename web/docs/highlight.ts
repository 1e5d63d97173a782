import { type Content, h } from "./tree.ts"

/** The kind of a token, which is its class in the page. */
type Kind = "remark" | "string" | "name" | "word" | "variable" | "value"

/** The tokens of a language, the first that matches wins; the rest of a text is plain. No pattern has groups. */
type Grammar = ReadonlyArray<readonly [kind: Kind, pattern: RegExp]>

const hashRemark = ["remark", /(?<=^|\s)#.*$/] as const
const quoted = ["string", /"(?:[^"\\]|\\.)*"|'[^']*'/] as const

const shell: Grammar = [
  hashRemark,
  quoted,
  ["variable", /\$(?:\{[^}]*\}|[A-Za-z_]\w*|[?#@*0-9])/],
  ["name", /(?<=^|\s)[A-Z][A-Z0-9_]*(?==)/],
  ["value", /(?<=\s)--?[A-Za-z][\w-]*/],
  // A command: at the beginning of a line that continues none, of a pipe's part, or after sudo.
  ["word", /(?<=(?:(?<!\\\n[ \t]*)(?<=\n|^)|[|;&(]|\bsudo|\bthen)[ \t]*)[a-z./][\w./-]*/]
]

const ini: Grammar = [
  ["remark", /^[ \t]*[#;].*$/],
  ["word", /^\[[^\]]*\]/],
  ["name", /^[ \t]*[\w-]+(?=\s*=)/]
]

const yaml: Grammar = [
  hashRemark,
  ["name", /(?<=^[ \t]*(?:- +)?)[\w./-]+(?=:(?:\s|$))/],
  quoted,
  ["value", /(?<=[:-] )(?:true|false|null|-?\d+(?:\.\d+)?)(?=\s*$)/]
]

const json: Grammar = [
  ["name", /"(?:[^"\\]|\\.)*"(?=\s*:)/],
  ["string", /"(?:[^"\\]|\\.)*"/],
  ["value", /\b(?:true|false|null)\b|-?\b\d+(?:\.\d+)?\b/]
]

/** nginx and Caddy: a line begins with the name of a directive. */
const directives: Grammar = [
  hashRemark,
  quoted,
  ["word", /(?<=^[ \t]*)[a-z_]+(?=[\s;{]|$)/],
  ["variable", /\$\w+/]
]

const javascript: Grammar = [
  ["remark", /\/\/.*$|\/\*[\s\S]*?\*\//],
  ["string", /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/],
  ["word", /\b(?:await|async|const|let|function|return|new|if|else|for|of|import|from|export)\b/]
]

const grammars: Readonly<Record<string, Grammar>> = {
  sh: shell,
  bash: shell,
  ini,
  env: ini,
  toml: ini,
  yaml,
  yml: yaml,
  json,
  nginx: directives,
  caddy: directives,
  js: javascript
}

/** Splits a text into spans of its tokens and the plain text between them; a text of an unknown language is plain. */
export const highlighted = (text: string, language: string): ReadonlyArray<Content> => {
  const grammar = grammars[language]
  if (grammar === undefined) return [text]
  const pattern = new RegExp(grammar.map(([, { source }]) => `(${source})`).join("|"), "gm")
  const parts: Array<Content> = []
  let at = 0
  for (const match of text.matchAll(pattern)) {
    const [token, ...groups] = match
    const [kind] = grammar[groups.findIndex((group) => group !== undefined)] ?? []
    if (token === "" || kind === undefined) continue
    parts.push(text.slice(at, match.index), h("span", { class: kind }, token))
    at = match.index + token.length
  }
  return [...parts, text.slice(at)]
}
