import { describe, expect, test } from "bun:test"
import { siteRuleNamed } from "../../../../src/enrich/page/sites/Sites.ts"
import { cpuTime } from "../../../support/cpuTime.ts"
import { sampleOf } from "../../../support/tier.ts"

const bomb = (levels: number) =>
  `<!DOCTYPE lolz [<!ENTITY l0 "lol">${Array.from(
    { length: levels },
    (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`
  ).join("")}]>`

/** Answers of at most a megabyte that would cost a careless parser much more. */
const hostile: Readonly<Record<string, string>> = {
  "entities that expand": `${bomb(9)}<feed><entry><id>/abs/1</id><title>&l9;</title><summary>&l9;</summary></entry></feed>`,
  "an entity that names a file": `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><feed><entry><id>/abs/1</id><title>&x;</title></entry></feed>`,
  "a megabyte of open tags": "<a>".repeat(349_525),
  "a megabyte of tags that close nothing": `<feed>${"<a>".repeat(5_000)}${"</b>".repeat(250_000)}`,
  "a megabyte of entries": `<feed>${"<entry>".repeat(149_000)}`,
  "an attribute of a megabyte": `<feed a="${"x".repeat(1_000_000)}"><entry><id>/abs/1</id><title>t</title></entry></feed>`,
  "100,000 attributes": `<feed ${Array.from({ length: 100_000 }, (_, i) => `a${i}=""`).join(" ")}><entry/></feed>`,
  "200,000 references": `<feed><entry><id>/abs/1</id><title>t</title><summary>${"&amp;".repeat(200_000)}</summary></entry></feed>`,
  "a megabyte of ampersands": `<feed><entry><id>/abs/1</id><title>${"&".repeat(1_000_000)}</title></entry></feed>`,
  "a megabyte of line ends": `<feed><entry><id>/abs/1</id><title>t</title><summary>x${"\n".repeat(1_000_000)}</summary></entry></feed>`,
  "a comment without an end": `<feed><!--${"-".repeat(1_000_000)}`,
  "a section without an end": `<feed><![CDATA[${"]".repeat(1_000_000)}`,
  "50,000 authors": `<feed><entry><id>/abs/1</id><title>t</title>${"<author><name>A</name></author>".repeat(20_000)}</entry></feed>`
}

describe("a hostile answer in XML", () => {
  for (const [what, answer] of sampleOf(Object.entries(hostile), 5))
    test(`with ${what} is read in linear time, or not at all`, () => {
      const start = cpuTime()
      for (const [rule, address] of [
        ["arxiv", "https://arxiv.org/abs/1706.03762"],
        ["pubmed", "https://pubmed.ncbi.nlm.nih.gov/1"]
      ] as const) {
        const text = JSON.stringify(siteRuleNamed(rule)?.read(answer, new URL(address)) ?? {})
        expect(text.length).toBeLessThan(300_000)
        expect(text).not.toContain("lollol")
        expect(text).not.toContain("root:")
      }
      expect(cpuTime() - start).toBeLessThan(6_000)
    })
})
