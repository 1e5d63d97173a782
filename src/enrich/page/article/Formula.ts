import { oneLine } from "../../../shared/Text.ts"
import type { Attributes } from "./ArticleAttributes.ts"

/** The longest formula, in UTF-16 units. */
export const MAX_FORMULA = 2_000

/** Commands, powers and indexes of TeX. */
const isTex = (text: string) => /\\[a-zA-Z]+|[_^]\s*\{|^\$.*\$$/.test(text)
const isOfFormula = (classes: string) => /math|latex|\btex\b|equation|formula/i.test(classes)

/** TeX without the wrappers that converters put around it. */
const unwrapped = (tex: string): string => {
  const inner = tex.trim().replace(/^\$+|\$+$/g, "")
  const [, styled] = /^\{\\(?:display|text)style\s(.*)\}$/s.exec(inner.trim()) ?? []
  return oneLine(styled ?? inner)
}

/** The TeX of a picture that shows a formula; empty if it is another picture. */
export const formulaOfPicture = (attribute: Attributes): string => {
  const alt = (attribute("alt") ?? "").slice(0, MAX_FORMULA)
  return isTex(alt) && (alt.startsWith("{\\") || isOfFormula(attribute("class") ?? "")) ? unwrapped(alt) : ""
}

/**
 * A formula in MathML (https://www.w3.org/TR/mathml-core/): its TeX if an annotation or the alternative text states it,
 * else its symbols.
 */
export class Formula {
  readonly #alternative: string
  #annotation = ""
  #symbols = ""
  /** The annotation that is open: in TeX, or in something else. */
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

  /** The formula as TeX; empty if it is not stated so. */
  get tex(): string {
    return unwrapped(this.#annotation.trim() || this.#alternative)
  }

  /** Its symbols, one after another. */
  get symbols(): string {
    return oneLine(this.#symbols)
  }
}
