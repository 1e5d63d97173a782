import { describe, expect, test } from "bun:test"
import { type AddressMeaning, meantAddresses } from "../../src/telegram/LinkDetection.ts"
import { entitiesOf } from "../support/telegramEntities.ts"

const meant = (text: string): Readonly<Record<string, AddressMeaning>> => {
  const marked = entitiesOf(text)
    .filter(({ type }) => type === "url")
    .map(({ length, offset }) => ({ start: offset, end: offset + length }))
  return Object.fromEntries(
    meantAddresses(text, marked).map(({ end, meaning, start }) => [text.slice(start, end), meaning])
  )
}

/** Messages by what their addresses are; all are marked as Telegram marks them. */
const table: Readonly<
  Record<string, ReadonlyArray<readonly [text: string, meant: Readonly<Record<string, AddressMeaning>>]>>
> = {
  "a value of an operator": [
    ["site:github.com", { "github.com": "text" }],
    ["site:github.com rust", { "github.com": "text" }],
    ["-site:github.com rust", { "github.com": "text" }],
    ["rust -site:github.com", { "github.com": "text" }],
    ["Site:GitHub.com rust", { "GitHub.com": "text" }],
    ['site:"github.com" rust', { "github.com": "text" }],
    ["(site:github.com or site:gitlab.com) parser", { "github.com": "text", "gitlab.com": "text" }],
    ["site:github.com/acme", { "github.com/acme": "text" }],
    ["site:www.example.com", { "www.example.com": "text" }],
    ["site:https://github.com", { "https://github.com": "text" }],
    ["tag:v2.ai", { "v2.ai": "text" }],
    ["-tag:v2.ai notes", { "v2.ai": "text" }],
    ["tag:#v2.ai", { "v2.ai": "text" }],
    ["category:x.com", { "x.com": "text" }],
    ["collection:linear.app is:unread", { "linear.app": "text" }],
    ["title:openai.com pricing", { "openai.com": "text" }],
    ['title:"how example.com works" after:2024', { "example.com": "text" }],
    ["is:unread site:arxiv.org/abs", { "arxiv.org/abs": "text" }],
    ["site: github.com", { "github.com": "doubt" }],
    ["site:github.com https://e.org/a", { "github.com": "text", "https://e.org/a": "link" }],
    ["title:https://e.org/a", { "https://e.org/a": "link" }],
    ['"v2.ai"', { "v2.ai": "doubt" }],
    ["-github.com", { "github.com": "doubt" }]
  ],
  "a file": [
    ["README.md", { "README.md": "text" }],
    ["README.md and main.py changed", { "README.md": "text", "main.py": "text" }],
    ["main.py", { "main.py": "text" }],
    ["Main.py is broken", { "Main.py": "text" }],
    ["fix install.sh", { "install.sh": "text" }],
    ["lib.rs, mod.rs", { "lib.rs": "text", "mod.rs": "text" }],
    ["CHANGELOG.md\nCONTRIBUTING.md", { "CHANGELOG.md": "text", "CONTRIBUTING.md": "text" }],
    ["backup.zip", { "backup.zip": "text" }],
    ["the MyModule.py of last week", { "MyModule.py": "text" }],
    ["main.cc or main.pl", { "main.cc": "text", "main.pl": "text" }],
    ["logo.ai", { "logo.ai": "text" }],
    ["package.json", {}],
    ["index.ts and index.js", {}],
    ["see docs/README.md", {}],
    ["holiday.mov", { "holiday.mov": "doubt" }],
    ["parser.rs", { "parser.rs": "doubt" }],
    ["bun.sh", { "bun.sh": "doubt" }],
    ["Xcode.app crashes", { "Xcode.app": "doubt" }],
    ["Xcode.app", { "Xcode.app": "doubt" }],
    ["notes.md\nplan.md", { "notes.md": "text", "plan.md": "doubt" }],
    ["schema.ps fails", { "schema.ps": "doubt" }]
  ],
  "a domain in a question": [
    ["what is v2.ai?", { "v2.ai": "doubt" }],
    ["v2.ai?", { "v2.ai": "doubt" }],
    ["is example.com down", { "example.com": "doubt" }],
    ["anyone used linear.app?", { "linear.app": "doubt" }],
    ["Was ist v2.ai?", { "v2.ai": "doubt" }],
    ["Kennst du heise.de?", { "heise.de": "doubt" }],
    ["Wie gut ist example.de im Vergleich?", { "example.de": "doubt" }],
    ["¿Qué es openai.com?", { "openai.com": "doubt" }],
    ["¿openai.com", { "openai.com": "doubt" }],
    ["qué opinas de elpais.es?", { "elpais.es": "doubt" }],
    ["Что такое v2.ai?", { "v2.ai": "doubt" }],
    ["ты читал habr.ru?", { "habr.ru": "doubt" }],
    ["кто владеет яндекс.рф?", { "яндекс.рф": "doubt" }],
    ["什么是 v2.ai？", { "v2.ai": "doubt" }],
    ["什么是v2.ai", { "v2.ai": "doubt" }],
    ["v2.ai 怎么样？", { "v2.ai": "doubt" }],
    ["example.comって何？", {}],
    ["これは example.jp ですか", { "example.jp": "doubt" }],
    ["qu'est-ce que example.fr ?", { "example.fr": "doubt" }],
    ["ما هو example.com؟", { "example.com": "doubt" }],
    ["github.com or gitlab.com?", { "github.com": "doubt", "gitlab.com": "doubt" }]
  ],
  "a domain in a sentence": [
    ["github.com is down again", { "github.com": "doubt" }],
    ["we moved from slack.com to zulip.org", { "slack.com": "doubt", "zulip.org": "doubt" }],
    ["amazon.com vs ebay.com", { "amazon.com": "doubt", "ebay.com": "doubt" }],
    ["openai.com pricing", { "openai.com": "doubt" }],
    ["alternatives to booking.com", { "booking.com": "doubt" }],
    ["ich habe das auf heise.de gelesen", { "heise.de": "doubt" }],
    ["lo leí en elpais.es ayer", { "elpais.es": "doubt" }],
    ["читал на habr.ru вчера", { "habr.ru": "doubt" }],
    ["我在 zhihu.com 看到的", { "zhihu.com": "doubt" }],
    ["看看example.com", { "example.com": "doubt" }],
    ["example.com read this later", { "example.com": "doubt" }],
    ["read this later example.com", { "example.com": "doubt" }],
    ["example.com, for the rewrite", { "example.com": "doubt" }],
    ["it works.so nice", { "works.so": "doubt" }],
    ["example.com:8080 does not answer", { "example.com:8080": "doubt" }],
    ["localhost:3000 is up", {}],
    ["192.168.1.10 is the printer", { "192.168.1.10": "doubt" }],
    ["update to 1.2.3.4", { "1.2.3.4": "doubt" }],
    ["see https://e.org/a instead of example.com", { "https://e.org/a": "link", "example.com": "doubt" }]
  ],
  "no address at all": [
    ["wait...what", {}],
    ["hmm...ok.", {}],
    ["version 1.2.3 of it", {}],
    ["v2.0.1-rc.1", {}],
    ["3.14159", {}],
    ["costs 9.99 or 9,99", {}],
    ["J.R.R. Tolkien", {}],
    ["e.g. this, i.e. that", {}],
    ["the U.S. market", {}],
    ["Node.js and Vue.js", {}],
    ["ASP.NET Core", { "ASP.NET": "doubt" }],
    ["mail me at ann@example.com", {}],
    ["ann.b+c@mail.example.org", {}],
    ["10.5 km at 9 a.m.", {}],
    ["end.Start without a space", {}],
    ["good morning!", {}],
    ["@someone #tag", {}]
  ],
  "a domain that is the message": [
    ["example.com", { "example.com": "link" }],
    ["Example.com", { "Example.com": "link" }],
    ["  example.com  ", { "example.com": "link" }],
    ["example.com.", { "example.com": "link" }],
    ["example.com!", { "example.com": "link" }],
    ["(example.com)", { "example.com": "link" }],
    ["<example.com>", { "example.com": "link" }],
    ["👉 example.com", { "example.com": "link" }],
    ["example.com #later", { "example.com": "link" }],
    ["#ai #tools v2.ai", { "v2.ai": "link" }],
    ["v2.ai", { "v2.ai": "link" }],
    ["linear.app", { "linear.app": "link" }],
    ["allegro.pl", { "allegro.pl": "link" }],
    ["news.example.co.uk", { "news.example.co.uk": "link" }],
    ["münchen.de", { "münchen.de": "link" }],
    ["яндекс.рф", { "яндекс.рф": "link" }],
    ["例子.中国", { "例子.中国": "link" }],
    ["xn--e1afmkfd.xn--p1ai", { "xn--e1afmkfd.xn--p1ai": "link" }],
    ["example.com:8080", { "example.com:8080": "link" }],
    ["192.168.1.10:8080", { "192.168.1.10:8080": "link" }],
    ["192.168.1.10", { "192.168.1.10": "doubt" }]
  ],
  "a domain on a line of its own": [
    ["example.com\nread this later", { "example.com": "link" }],
    ["Have you seen this?\nexample.com", { "example.com": "link" }],
    ["For Ann:\n\nexample.com", { "example.com": "link" }],
    [
      "example.com\nexample.org\nexample.net",
      { "example.com": "link", "example.org": "link", "example.net": "link" }
    ],
    ["- example.com\n- example.org", { "example.com": "link", "example.org": "link" }],
    ["1. example.com\n2) example.org", { "example.com": "link", "example.org": "link" }],
    ["example.com, example.org", { "example.com": "link", "example.org": "link" }],
    ["example.com example.org", { "example.com": "link", "example.org": "link" }],
    ["example.com great tool\nexample.org another one", { "example.com": "link", "example.org": "link" }],
    ["bun.sh\nexample.org", { "bun.sh": "link", "example.org": "link" }],
    ["docs.rs\nbun.sh", { "docs.rs": "doubt", "bun.sh": "doubt" }],
    ["https://e.org/a\nexample.com", { "https://e.org/a": "link", "example.com": "link" }]
  ],
  "a note that is set off": [
    ["example.com - read this later", { "example.com": "link" }],
    ["example.com — für später", { "example.com": "link" }],
    ["example.com: a note", { "example.com": "link" }],
    ["example.com (great)", { "example.com": "link" }],
    ["later: example.com", { "example.com": "link" }],
    ["Read more – example.com", { "example.com": "link" }],
    ["the best one: example.com or not", { "example.com": "doubt" }],
    ["example.com - is it any good?", { "example.com": "doubt" }]
  ],
  "an address that is one anywhere": [
    ["what is https://v2.ai?", { "https://v2.ai": "link" }],
    ["see http://example.com now", { "http://example.com": "link" }],
    ["look at example.com/page please", { "example.com/page": "link" }],
    ["is example.com/page any good?", { "example.com/page": "link" }],
    ["habr.ru/post/1 читать", { "habr.ru/post/1": "link" }],
    ["example.com?id=1 is it", { "example.com?id=1": "link" }],
    ["why www.example.com fails?", { "www.example.com": "link" }],
    ["docs.rs/effect is good", { "docs.rs/effect": "link" }],
    ["example.com:8080/admin is open", { "example.com:8080/admin": "link" }],
    ["10.0.0.1/status fails", { "10.0.0.1/status": "link" }],
    ["README.md is at https://e.org/README.md", { "README.md": "text", "https://e.org/README.md": "link" }]
  ]
}

describe("meantAddresses", () => {
  for (const [kind, rows] of Object.entries(table))
    for (const [text, wanted] of rows)
      test(`${kind}: ${JSON.stringify(text)}`, () => expect(meant(text)).toEqual({ ...wanted }))

  test("accepts marks that are no addresses", () => {
    const whole = (text: string) => meantAddresses(text, [{ start: 0, end: text.length }])[0]?.meaning
    for (const text of [
      "wait...what",
      "i.e",
      "U.S",
      "a@b.com",
      "3.14",
      "localhost",
      "x",
      "..",
      "a..com",
      "-.com"
    ])
      expect(whole(text)).toBe("text")
  })

  test("takes the longest message and a thousand addresses", () => {
    const text = Array.from({ length: 340 }, (_, index) => `a${index}.example`).join(" ")
    const marked = [...text.matchAll(/\S+/g)].map(({ 0: one, index }) => ({
      start: index,
      end: index + one.length
    }))
    expect(new Set(meantAddresses(text, marked).map(({ meaning }) => meaning))).toEqual(new Set(["link"]))
    expect(meantAddresses("a.".repeat(50_000), [{ start: 0, end: 100_000 }])[0]?.meaning).toBe("text")
  })
})
