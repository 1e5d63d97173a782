import { describe, expect, test } from "bun:test"
import {
  childText,
  elements,
  elementsAt,
  readWholeXml,
  readXml,
  textWithin,
  textWithinAt,
  xmlRoot
} from "../../src/domain/Xml.ts"

describe("xmlRoot", () => {
  for (const [text, name] of [
    ["<OPML version='1'>", "opml"],
    ["\n<?xml version='1.0'?>\n<!-- <html> -->\n<!DOCTYPE a [<!ENTITY b 'c'>]>\n<ns:a/>", "ns:a"],
    ["<!-- never closed <a>", ""],
    ["text <a>", ""],
    ["", ""]
  ] as const)
    test(`finds ${JSON.stringify(name)} in ${JSON.stringify(text)}`, () => expect(xmlRoot(text)).toBe(name))
})

describe("readXml", () => {
  const first = (text: string) => readXml(text).children[0]

  test("reads attributes, text, references and sections, with names in lower case", () => {
    const root = first(
      "<A One=\"1 &amp; 2\" TWO='&#x1F600;'>\n x &lt; <B><![CDATA[<raw> & ]]]]><![CDATA[>]]></B> y </A>"
    )
    expect(Object.fromEntries(root?.attributes ?? [])).toEqual({ one: "1 & 2", two: "😀" })
    expect(root?.text).toBe("x <  y")
    expect(root && childText(root, "b")).toBe("<raw> & ]]>")
  })

  test("does not expand the entities that a file declares", () => {
    const bomb = `<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><a>&b;&b;</a>`
    expect(first(bomb)?.text).toBe("&b;&b;")
  })

  test("survives missing and needless end tags", () => {
    const root = first("<a></x><b>1<c>2</b></c></b><b>3")
    expect([...elements(readXml("<a></x><b>1<c>2</b></c></b><b>3"), "b")].map(({ text }) => text)).toEqual([
      "1",
      "3"
    ])
    expect(root?.children.map(({ name }) => name)).toEqual(["b", "b"])
  })

  test("counts lines of elements", () =>
    expect([...elements(readXml("<a>\r\n<b/>\n\n<b/></a>"), "b")].map(({ line }) => line)).toEqual([2, 4]))
})

describe("readWholeXml", () => {
  const whole = (text: string) => readWholeXml(text, { depth: 32, elements: 50_000 })

  test("keeps prefixes, attributes and mixed content", () => {
    const root = whole(
      '<?xml version="1.0"?><!-- c --><A b="1 &amp; 2"><p:C>x<i>y</i>z</p:C><p:C><![CDATA[<&]]></p:C></A>'
    )
    expect(elementsAt(root, "a")[0]?.attributes).toEqual(new Map([["b", "1 & 2"]]))
    expect(elementsAt(root, "a/p:c").map(textWithin)).toEqual(["xyz", "<&"])
    expect(textWithinAt(root, "a/c")).toBeUndefined()
    expect(textWithinAt(root, "b/p:c")).toBeUndefined()
  })

  test("has no elements in a text without any", () => {
    for (const text of ["", " ", "7", "Rate exceeded."]) expect(elementsAt(whole(text), "feed")).toEqual([])
  })

  test("rejects a document that is cut", () => expect(whole("<a><b>one</b><b>tw")).toBeUndefined())

  test("rejects nesting and numbers of elements that no answer has", () => {
    expect(whole(`${"<a>".repeat(40)}${"</a>".repeat(40)}`)).toBeUndefined()
    expect(whole(`<a>${"<b/>".repeat(60_000)}</a>`)).toBeUndefined()
  })
})
