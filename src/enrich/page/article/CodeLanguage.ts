import { setOf } from "../../../domain/Markup.ts"
import type { Attributes } from "./ArticleAttributes.ts"

/** Classes that name a language after a prefix: HTML's own, Prism, highlight.js, GitHub, SyntaxHighlighter. */
const prefixed =
  /(?:^|\s)(?:language-|lang-|highlight-source-|highlight-text-|brush:\s*|src-)([a-z0-9+#][a-z0-9+#._-]{0,31})/i

/** Classes beside which a highlighter names the language alone: highlight.js, Pandoc, Hexo, Sphinx, Pygments, Prettify. */
const highlighter = /(?:^|\s)(?:hljs|sourcecode|highlight|codehilite|prettyprint|chroma|shiki|code)(?:\s|$)/i

const known = setOf(`
  ada apache asm assembly awk bash basic bat batch c clojure cmake cobol coffeescript console cpp crystal csharp css csv d
  dart diff docker dockerfile elixir elm erlang fortran fsharp gherkin glsl go graphql groovy haskell hcl html http ini
  java javascript js json json5 jsx julia kotlin latex less lisp lua makefile markdown matlab mermaid nginx nim nix
  objectivec ocaml pascal perl php powershell prolog properties protobuf puppet purescript python py r racket rb reason
  regex ruby rust rs sass scala scheme scss sh shell solidity sql svelte swift tcl terraform tex toml ts tsx typescript
  vb verilog vhdl vim vue wasm xml xquery yaml yml zig zsh
`)

const none = setOf(
  "none plain plaintext text txt nohighlight no-highlight code auto default source raw html-nocode"
)

/** In UTF-16 units. */
const MAX_CLASS = 512

const accepted = (name: string | undefined): string | undefined => {
  const language = name?.trim().toLowerCase() ?? ""
  return /^[a-z0-9+#._-]{1,32}$/.test(language) && !none.has(language) ? language : undefined
}

export const codeLanguage = (attribute: Attributes): string | undefined => {
  const classes = attribute("class")?.slice(0, MAX_CLASS) ?? ""
  const stated =
    accepted(prefixed.exec(classes)?.[1]) ??
    accepted(attribute("data-lang") ?? undefined) ??
    accepted(attribute("data-language") ?? undefined)
  if (stated !== undefined || !highlighter.test(classes)) return stated
  return classes
    .toLowerCase()
    .split(/\s+/)
    .find((name) => known.has(name))
}
