import { describe, expect, test } from "bun:test"
import { Schema } from "effect"
import { isCleanArticle } from "../../../src/domain/Article.ts"
import { SandboxReply, type SandboxRequest } from "../../../src/enrich/page/Sandbox.ts"
import { handleRequest } from "../../../src/enrich/page/SandboxWork.ts"
import { hostilePages } from "../../support/hostilePages.ts"
import { sampleOf } from "../../support/tier.ts"

const decode = Schema.decodeUnknownSync(SandboxReply)
const url = "https://example.org/a/b"

const asPage = (contentType: string, address = url): SandboxRequest => ({
  do: "page",
  asked: address,
  url: address,
  status: 200,
  headers: {},
  contentType
})

const asBrowserPage: SandboxRequest = { do: "browser", url, title: "The orchard", byline: "", lang: "en" }

/** What the worker answers to a request: the articles in its replies. */
const articlesOf = async (message: SandboxRequest, text: string): Promise<ReadonlyArray<string>> => {
  const replies: Array<SandboxReply> = []
  await handleRequest({ message, bytes: Buffer.from(text) }, async (reply) => {
    replies.push(decode(reply))
  })
  return replies.flatMap((reply) =>
    reply.said === "content" ? [reply.content.article] : reply.said === "browser" ? [reply.text.article] : []
  )
}

const feed = (html: string) =>
  `<?xml version="1.0"?><rss version="2.0"><channel><title>Orchards</title><item><title>One</title><description>${Bun.escapeHTML(html)}</description></item></channel></rss>`

describe("the worker's article of a hostile page is clean", () => {
  for (const [what, request, pages, textOf] of [
    ["from its site", asPage("text/html; charset=utf-8"), sampleOf(hostilePages, 50), (html: string) => html],
    ["from a browser", asBrowserPage, sampleOf(hostilePages, 15), (html: string) => html],
    [
      "as Markdown",
      asPage("text/markdown", `${url}.md`),
      sampleOf(hostilePages, 15),
      (html: string) => `# Orchards\n\n${html}`
    ],
    ["in a feed", asPage("application/rss+xml"), sampleOf(hostilePages, 15), feed]
  ] as const)
    test(`${what}: ${pages.length} pages`, async () => {
      for (const { html, name } of pages) {
        const articles = await articlesOf(request, textOf(html))
        // A page that only sends its visitors on is not read; scripts are no address to which it can.
        const isSentOn = what === "from its site" && /http-equiv="?refresh"? content="0;url=http/i.test(html)
        expect([name, articles.length]).toEqual([name, isSentOn ? 0 : 1])
        for (const article of articles) {
          expect([name, isCleanArticle(article)]).toEqual([name, true])
          if (html.length < 1024 * 1024) expect([name, /grew slowly|One/.test(article)]).toEqual([name, true])
        }
      }
    })
})
