import { oneLine } from "../../../shared/Text.ts"
import type { Attributes } from "./ArticleAttributes.ts"

/** In UTF-16 units. */
export const MAX_FORMULA = 2_000

const isTex = (text: string) => /\\[a-zA-Z]+|[_^]\s*\{|^\$.*\$$/.test(text)
const isOfFormula = (classes: string) => /math|latex|\btex\b|equation|formula/i.test(classes)

/** TeX without the wrappers that converters put around it. */
const unwrapped = (tex: string): string => {
  const inner = tex.trim().replace(/^\$+|\$+$/g, "")
  const [, styled] = /^\{\\(?:display|text)style\s(.*)\}$/s.exec(inner.trim()) ?? []
  return oneLine(styled ?? inner)
}

export const formulaOfPicture = (attribute: Attributes): string => {
  const alt = (attribute("alt") ?? "").slice(0, MAX_FORMULA)
  return isTex(alt) && (alt.startsWith("{\\") || isOfFormula(attribute("class") ?? "")) ? unwrapped(alt) : ""
}

/** A formula in MathML (https://www.w3.org/TR/mathml-core/) as TeX, if it states that, else as its symbols. */
export class Formula {
  readonly #alternative: string
  #annotation = ""
  #symbols = ""
  #inside: "" | "tex" | "other" = ""

  constructor(attribute: Attributes) {
    this.#alternative = (attribute("alttext") ?? "").slice(0, MAX_FORMULA)
  }

  open(name: string, attribute: Attributes): void {
    if (name === "annotation") this.#inside = /tex/i.test(attribute("encoding") ?? "") ? "tex" : "other"
    else if (name === "annotation-xml") this.#inside = "other"
  }

  close(name: string): void {
    if (name === "annotation" || name === "annotation-xml") this.#inside = ""
    else if (this.#inside === "" && this.#symbols.length < MAX_FORMULA) this.#symbols += " "
  }

  text(piece: string): void {
    const start = piece.slice(0, MAX_FORMULA)
    if (this.#inside === "tex" && this.#annotation.length < MAX_FORMULA) this.#annotation += start
    if (this.#inside === "" && this.#symbols.length < MAX_FORMULA) this.#symbols += start
  }

  get tex(): string {
    return unwrapped(this.#annotation.trim() || this.#alternative)
  }

  get symbols(): string {
    return oneLine(this.#symbols)
  }
}
