const escape = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y
const space = /[ \t\n\r]*/y
const scalar = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y

/** Where a sticky pattern that begins at `at` ends; -1 where it is not there. */
const after = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : -1
}

/** The place behind the string whose quote stands at `at`, or where it is broken. */
const stringAt = (text: string, at: number): { readonly end: number; readonly broken: boolean } => {
  let next = at + 1
  while (next < text.length && text[next] !== '"') {
    const end = text[next] === "\\" ? after(escape, text, next) : next + 1
    if (end === -1 || text.charCodeAt(next) < 0x20) return { end: next, broken: true }
    next = end
  }
  return { end: Math.min(next + 1, text.length), broken: next >= text.length }
}

/** The first place at which a text is no JSON (RFC 8259); its length where it is, or ends too early. */
export const jsonErrorAt = (text: string): number => {
  const open: Array<string> = []
  let expects: "value" | "first" | "key" | "firstKey" | "colon" | "next" = "value"
  for (let at = after(space, text, 0); at < text.length; at = after(space, text, at)) {
    const mark = text.charAt(at)
    const isValue: boolean = expects === "value" || expects === "first"
    const closes = (mark === "]" && expects === "first") || (mark === "}" && expects === "firstKey")
    if (expects === "next" || closes) {
      const around = open.at(-1)
      if (around === undefined) return at
      if (mark === ",") expects = around === "{" ? "key" : "value"
      else if (mark === (around === "{" ? "}" : "]")) {
        open.pop()
        expects = "next"
      } else return at
      at += 1
    } else if (expects === "colon") {
      if (mark !== ":") return at
      expects = "value"
      at += 1
    } else if (mark === '"') {
      const { broken, end } = stringAt(text, at)
      if (broken) return end
      expects = isValue ? "next" : "colon"
      at = end
    } else if (!isValue) return at
    else if (mark === "{" || mark === "[") {
      open.push(mark)
      expects = mark === "{" ? "firstKey" : "first"
      at += 1
    } else {
      const end = after(scalar, text, at)
      if (end === -1) return at
      expects = "next"
      at = end
    }
  }
  return text.length
}
