import { highlighted } from "./highlight.ts"
import { type Element, h } from "./tree.ts"

/** A scrollable code block with the colours of its language; the page's script adds a copy button. */
export const codeBlock = (text: string, language = ""): Element =>
  h(
    "div",
    { class: "code" },
    h("pre", { tabindex: "0" }, h("code", {}, highlighted(text.replace(/\n+$/, ""), language)))
  )
