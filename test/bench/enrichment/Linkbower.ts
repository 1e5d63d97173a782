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
import { type Library, noAnswer } from "./Answer.ts"
import { bytesOf, CONTENT_TYPE } from "./Pages.ts"

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
  readSite: (asked, answer) =>
    Effect.map(
      Effect.promise(() => ask({ do: "site", ...asked }, answer)),
      (replies) => Option.fromNullable(replies.find((reply) => reply.said === "site")?.site)
    ),
  shrink: () => Effect.dieMessage("No pictures are shrunk here.")
})

/** Linkbower's own scraper and page reader over a recorded response; every other address is unreachable. */
export const linkbower = (): Library => {
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
  return {
    prepare: ({ id, url }) => {
      const address = new URL(url)
      answers.clear()
      answers.set(address.href, {
        url: address,
        redirects: [],
        status: 200,
        headers: new Headers({ "content-type": CONTENT_TYPE }),
        contentType: CONTENT_TYPE,
        body: bytesOf(id),
        cut: false
      })
      const scrape = Effect.flatMap(Scraper, (scraper) => scraper.scrape(address)).pipe(
        Effect.map((page) => ({
          title: page.title,
          description: page.description || null,
          image: page.image,
          canonical: page.canonicalUrl,
          icon: page.favicon,
          site: page.siteName,
          author: page.author,
          published: page.publishedAt,
          language: page.language,
          text: page.text
        })),
        Effect.orElseSucceed(() => noAnswer)
      )
      return () => runtime.runPromise(scrape)
    }
  }
}
