import { Tokenizer } from "htmlparser2"
import { MAX_ARTICLE_HTML } from "../../../../src/shared/Limits.ts"

const allowed = new Set(
  `p h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table caption tr td th blockquote pre code figure figcaption img a em strong sub
  sup del mark q br`.split(/\s+/)
)
const attributesOf: Readonly<Record<string, ReadonlyArray<string>>> = {
  a: ["href"],
  img: ["src", "alt"],
  td: ["colspan", "rowspan"],
  th: ["colspan", "rowspan"],
  ol: ["start"]
}
const parents: Readonly<Record<string, ReadonlyArray<string>>> = {
  li: ["ul", "ol"],
  tr: ["table"],
  td: ["tr"],
  th: ["tr"],
  caption: ["table"],
  dt: ["dl"],
  dd: ["dl"],
  figcaption: ["figure"]
}
const children: Readonly<Record<string, ReadonlyArray<string>>> = {
  ul: ["li"],
  ol: ["li"],
  dl: ["dt", "dd"],
  table: ["tr", "caption"],
  tr: ["td", "th"]
}

/** Returns how an article's HTML breaks its promise: its elements, attributes, nesting, end tags, addresses and length. */
export const articleFaults = (html: string): ReadonlyArray<string> => {
  const faults = new Set<string>()
  const open: Array<string> = []
  let name = ""
  let attribute = ""
  if (html.length > MAX_ARTICLE_HTML) faults.add("too long")
  if (!html.isWellFormed()) faults.add("half a character")
  const endOfTag = () => {
    const parent = open.at(-1) ?? ""
    if (!allowed.has(name)) faults.add(`<${name}>`)
    if (parents[name]?.includes(parent) === false) faults.add(`<${name}> in <${parent}>`)
    if (children[parent]?.includes(name) === false) faults.add(`<${name}> in <${parent}>`)
    if (open.includes("a") && name === "a") faults.add("<a> in <a>")
    if (name !== "img" && name !== "br") open.push(name)
  }
  const tokenizer = new Tokenizer(
    { decodeEntities: false },
    {
      onopentagname: (start, end) => {
        name = html.slice(start, end)
      },
      onattribname: (start, end) => {
        attribute = html.slice(start, end)
        if (attributesOf[name]?.includes(attribute) !== true) faults.add(`${name} ${attribute}`)
      },
      onattribdata: (start, end) => {
        const isAddress = attribute === "href" || attribute === "src"
        if (isAddress && !/^https?:\/\/[^\s"<>]+$/.test(html.slice(start, end)))
          faults.add(`address ${html.slice(start, end)}`)
      },
      onattribentity: () => {},
      onattribend: () => {},
      onopentagend: endOfTag,
      onselfclosingtag: () => faults.add("self-closing"),
      onclosetag: (start, end) => {
        if (open.pop() !== html.slice(start, end)) faults.add(`</${html.slice(start, end)}>`)
      },
      ontext: (start, end) => {
        const text = html.slice(start, end)
        if (open.length === 0) faults.add("text outside of a block")
        if (children[open.at(-1) ?? ""] !== undefined) faults.add(`text in <${open.at(-1)}>`)
        if (/[<>]|&(?!amp;|lt;|gt;|quot;)/.test(text)) faults.add("unescaped text")
      },
      ontextentity: () => {},
      oncdata: () => faults.add("cdata"),
      oncomment: () => faults.add("comment"),
      ondeclaration: () => faults.add("declaration"),
      onend: () => {},
      onprocessinginstruction: () => faults.add("instruction")
    }
  )
  tokenizer.write(html)
  tokenizer.end()
  for (const left of open) faults.add(`unclosed <${left}>`)
  return [...faults]
}
