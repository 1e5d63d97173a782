const NAME = "[A-Za-z_][\\w:.-]*"
const ATTRIBUTE = `\\s+${NAME}="(?:[^<&"]|&(?:amp|lt|gt|quot|apos|#\\d+|#x[0-9a-fA-F]+);)*"`
const TAG = new RegExp(`<(/?)(${NAME})((?:${ATTRIBUTE})*)\\s*(/?)>`, "y")
const TEXT = /(?:[^<&]|&(?:amp|lt|gt|quot|apos|#\d+|#x[0-9a-fA-F]+);)+/y

/** Whether a text is one well-formed XML 1.0 element without comments, sections or a doctype, after its declaration. */
export const wellFormed = (xml: string): boolean => {
  // https://www.w3.org/TR/xml/#charsets
  if (/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(xml)) return false
  const body = xml.replace(/^<\?xml [^?]*\?>\s*/, "").trimEnd()
  const open: Array<string> = []
  let at = 0
  let roots = 0
  while (at < body.length) {
    const within = open.length > 0
    TEXT.lastIndex = at
    TAG.lastIndex = at
    const text = within ? TEXT.exec(body) : null
    if (text !== null) {
      if (text[0].includes("]]>")) return false
      at = TEXT.lastIndex
      continue
    }
    const tag = TAG.exec(body)
    if (tag === null) return false
    const [, closing, name = "", attributes = "", empty] = tag
    const names = [...attributes.matchAll(new RegExp(`(${NAME})="`, "g"))].map(([, one]) => one)
    if (new Set(names).size < names.length) return false
    if (closing === "/" && open.pop() !== name) return false
    if (closing === "" && !within) roots += 1
    if (closing === "" && empty === "") open.push(name)
    at = TAG.lastIndex
  }
  return open.length === 0 && roots === 1
}
