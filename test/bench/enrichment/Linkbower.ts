import { type Context, Effect, Layer, ManagedRuntime, Option, Schema } from "effect"
import { FetchError, Fetcher } from "../../../src/enrich/fetch/Fetcher.ts"
import {
  type PageFailure,
  Sandbox,
  SandboxReply,
  type SandboxRequest
} from "../../../src/enrich/page/Sandbox.ts"
import { handleRequest } from "../../../src/enrich/page/SandboxWork.ts"
import { Scraper } from "../../../src/enrich/page/Scraper.ts"
import { type Answer, fields } from "./Answer.ts"
import { bytesOf, CONTENT_TYPE, type TestPage } from "./Pages.ts"

type Fetched = Effect.Effect.Success<ReturnType<Context.Tag.Service<typeof Fetcher>["fetch"]>>

const decodeReply = Schema.decodeUnknownSync(SandboxReply)

/** Does the sandbox's work in this process, so that its time and memory are those of reading the page. */
const ask = async (message: SandboxRequest, bytes: Uint8Array) => {
  const replies: Array<SandboxReply> = []
  await handleRequest({ message, bytes }, async (reply) => {
    replies.push(decodeReply(reply))
  })
  return replies
}

const inThisProcess = Layer.succeed(Sandbox, {
  readPage: (page, body) =>
    Effect.flatMap(
      Effect.promise(() => ask({ do: "page", ...page }, body)),
      (replies) => {
        const refused = replies.find((reply) => reply.said === "refused")
        const stated = replies.findLast((reply) => reply.said === "metadata")
        const content = replies.find((reply) => reply.said === "content")
        return stated === undefined || content === undefined
          ? Effect.fail<PageFailure>(refused ?? { reason: "reply", titles: [] })
          : Effect.succeed({ metadata: stated.metadata, content: content.content, cut: null })
      }
    ),
  readBrowserPage: () => Effect.dieMessage("No browser sends pages here."),
  readSite: (asked, answer) =>
    Effect.map(
      Effect.promise(() => ask({ do: "site", ...asked }, answer)),
      (replies) => Option.fromNullable(replies.find((reply) => reply.said === "site")?.site)
    ),
  shrink: () => Effect.dieMessage("No pictures are shrunk here.")
})

/**
 * Linkbower's own scraper and page reader over recorded responses; every other address is unreachable. Prepares the
 * reading of a page, which returns none if the page was refused.
 */
export const recordedScraper = () => {
  const answers = new Map<string, Fetched>()
  const recorded = Layer.succeed(Fetcher, {
    fetch: ({ href }) => {
      const fetched = answers.get(href)
      return fetched === undefined
        ? Effect.fail(new FetchError({ reason: "unreachable" }))
        : Effect.succeed(fetched)
    }
  })
  const runtime = ManagedRuntime.make(
    Scraper.layer.pipe(Layer.provide(inThisProcess), Layer.provide(recorded))
  )
  return ({ id, url }: TestPage) => {
    const address = new URL(url)
    answers.clear()
    answers.set(address.href, {
      url: address,
      redirects: [],
      isPermanent: true,
      status: 200,
      headers: new Headers({ "content-type": CONTENT_TYPE }),
      contentType: CONTENT_TYPE,
      body: bytesOf(id),
      cut: false,
      follow: () => Effect.die("nothing is followed")
    })
    const scrape = Effect.option(Effect.flatMap(Scraper, (scraper) => scraper.scrape(address)))
    return () => runtime.runPromise(scrape)
  }
}

/** An answer that says nothing. */
const noAnswer = Object.fromEntries(fields.map((field) => [field, null])) as Answer

/** Linkbower's reading of pages: prepares one, and returns what is timed. */
export const linkbower = () => {
  const open = recordedScraper()
  const prepare = (page: TestPage) => {
    const scrape = open(page)
    return async (): Promise<Answer> =>
      Option.match(await scrape(), {
        onNone: () => noAnswer,
        onSome: ({ canonicalUrl, description, favicon, publishedAt, siteName, ...found }) => ({
          ...{ title: found.title, description: description || null, image: found.image },
          ...{ canonical: canonicalUrl, icon: favicon, site: siteName },
          ...{ author: found.author, published: publishedAt, language: found.language }
        })
      })
  }
  return { prepare }
}
