import { Context, Data, Effect, Either, Layer, Option, Schema, Stream } from "effect"
import { isCleanArticle } from "../../domain/Article.ts"
import type { BrowserPage, BrowserText } from "../../domain/BrowserPage.ts"
import { Facts, LinkType } from "../../domain/Link.ts"
import type { PictureUse } from "../../domain/Picture.ts"
import { type ChildFailed, type ChildLimits, makeChildPool } from "../../runtime/ChildProcess.ts"
import {
  MAX_ARTICLE_HTML,
  MAX_DESCRIPTION,
  MAX_PAGE_NAME,
  MAX_PAGE_TEXT,
  MAX_TITLE
} from "../../shared/Limits.ts"
import { Measure } from "../../telemetry/Metrics.ts"
import type { Content } from "./article/ReadableText.ts"
import { MAX_LANGUAGE } from "./fields/Language.ts"
import type { Metadata } from "./fields/Metadata.ts"
import { binaryKindOf } from "./files/FileKind.ts"
import { MAX_PICTURE } from "./Shrink.ts"
import type { SitePage } from "./sites/SitePage.ts"
import { MAX_URL } from "./WebAddress.ts"
import { type Visit, type Wall, walls } from "./walls/Walls.ts"

/** The bytes of the page, the picture or the answer are sent beside the request. */
export type SandboxRequest =
  | ({
      readonly do: "page"
      readonly contentType: string | null
      readonly disposition?: string | null
      readonly refresh?: string | null
      readonly isCut?: boolean
    } & Visit)
  | ({ readonly do: "browser"; readonly url: string } & Omit<BrowserPage, "html">)
  | { readonly do: "picture"; readonly kind: PictureUse }
  /** `site` names the rule. */
  | { readonly do: "site"; readonly site: string; readonly url: string }

const text = (limit: number) => Schema.String.pipe(Schema.maxLength(limit))
const address = text(MAX_URL).pipe(Schema.pattern(/^https?:\/\//i))
const moment = text(30).pipe(Schema.pattern(/^\d{4}-[\d:.TZ-]+$/))
const language = text(MAX_LANGUAGE).pipe(Schema.pattern(/^[A-Za-z0-9-]+$/))

/** Enforces the reader's own limits again, because a page that compromises the reader controls its reply. */
const metadata: Schema.Schema<Metadata> = Schema.Struct({
  title: Schema.NullOr(text(MAX_TITLE)),
  description: text(MAX_DESCRIPTION),
  canonicalUrl: Schema.NullOr(address),
  image: Schema.NullOr(address),
  favicon: Schema.NullOr(address),
  siteName: Schema.NullOr(text(MAX_PAGE_NAME)),
  author: Schema.NullOr(text(MAX_PAGE_NAME)),
  publishedAt: Schema.NullOr(moment),
  language: Schema.NullOr(language),
  type: Schema.NullOr(LinkType),
  facts: Facts,
  oembed: Schema.NullOr(address)
})

const content = Schema.Struct({
  text: text(MAX_PAGE_TEXT),
  article: text(MAX_ARTICLE_HTML),
  author: Schema.NullOr(text(MAX_PAGE_NAME)),
  description: text(MAX_DESCRIPTION),
  language: Schema.NullOr(language)
}) satisfies Schema.Schema<Content>

const site: Schema.Schema<SitePage> = Schema.partial(
  Schema.Struct({
    title: text(MAX_TITLE),
    description: text(MAX_DESCRIPTION),
    author: Schema.NullOr(text(MAX_PAGE_NAME)),
    publishedAt: moment,
    siteName: text(MAX_PAGE_NAME),
    image: address,
    language,
    type: LinkType,
    facts: Facts,
    text: text(MAX_PAGE_TEXT),
    article: text(MAX_ARTICLE_HTML)
  })
)

const browserText: Schema.Schema<BrowserText> = Schema.Struct({
  title: Schema.NullOr(text(MAX_TITLE)),
  ...content.fields
})

/** A page takes two replies, so that its metadata survives a failure to extract its text. */
export const SandboxReply = Schema.Union(
  Schema.Struct({
    said: Schema.Literal("refused"),
    reason: Schema.Literal("unreadable", "status", ...walls),
    titles: Schema.Array(text(MAX_TITLE)).pipe(Schema.maxItems(2))
  }),
  Schema.Struct({ said: Schema.Literal("sent-on"), to: address }),
  Schema.Struct({ said: Schema.Literal("metadata"), metadata }),
  Schema.Struct({ said: Schema.Literal("content"), content }),
  Schema.Struct({ said: Schema.Literal("browser"), text: browserText }),
  Schema.Struct({ said: Schema.Literal("site"), site }),
  Schema.Struct({ said: Schema.Literal("no-site") }),
  Schema.Struct({ said: Schema.Literal("picture") }),
  Schema.Struct({
    said: Schema.Literal("no-picture"),
    reason: Schema.Literal("too-large", "undecodable", "unsupported")
  })
)
export type SandboxReply = typeof SandboxReply.Type

const noContent: Content = { text: "", article: "", author: null, description: "", language: null }

interface ReadPage {
  readonly metadata: Metadata
  /** The content of its text; empty if extraction was cut off, for the reason in `cut`. */
  readonly content: Content
  readonly cut: ChildFailed["reason"] | null
}

/** An unknown kind of document, another page in its place, an error status, or a failed reader. */
export interface PageFailure {
  readonly reason: "unreadable" | "status" | Wall | ChildFailed["reason"]
  /** The titles of a wall: as written, and without its site's name. */
  readonly titles: ReadonlyArray<string>
}

/** The page only sends its visitors to another address. */
export class SentOn extends Data.TaggedError("SentOn")<{ readonly to: string }> {}

type PictureFailure = "too-large" | "undecodable" | "unsupported" | ChildFailed["reason"]

const MEGABYTE = 1024 * 1024

// Two children for pages, one for documents and one for pictures use at most 870 MB, which fits into 1 GB with the
// service.

/** A child uses about 60 MB when it starts, at most 131 MB for real pages, and 157 MB for pages made to cost much. */
const pageLimits: ChildLimits = {
  most: 2,
  start: "10 seconds",
  deadline: "3 seconds",
  memory: 168 * MEGABYTE,
  recycle: 128 * MEGABYTE,
  idle: "1 minute",
  // The text and the article with each unit escaped as six characters, plus room for the rest.
  reply: (MAX_PAGE_TEXT + MAX_ARTICLE_HTML) * 6 + 64 * 1024
}

/** PDFs, pictures and recordings. A child uses about 100 MB with the PDF reader, and 175 MB for a PDF of 24 MB. */
const documentLimits: ChildLimits = {
  ...pageLimits,
  most: 1,
  deadline: "8 seconds",
  memory: 288 * MEGABYTE,
  recycle: 160 * MEGABYTE
}

/** Decoding takes four bytes per pixel: 222 MB in all for the largest picture. */
const pictureLimits: ChildLimits = {
  ...pageLimits,
  most: 1,
  memory: 240 * MEGABYTE,
  reply: MAX_PICTURE.article + 4_096
}

/** The first page or picture starts the children. `deadline` is three seconds by default, and eight for a document. */
const make = Effect.fnUntraced(function* (
  command: ReadonlyArray<string>,
  limits: Partial<Pick<ChildLimits, "deadline">> = {}
) {
  const pages = yield* makeChildPool({ ...pageLimits, ...limits, command, replies: SandboxReply })
  const documents = yield* makeChildPool({
    ...documentLimits,
    ...limits,
    command,
    replies: SandboxReply
  })
  const pictures = yield* makeChildPool({ ...pictureLimits, ...limits, command, replies: SandboxReply })

  const counted = (what: "browser" | "page" | "picture" | "site") => (failure: ChildFailed) =>
    Measure.readerFailures.count(what, failure.reason)

  /** A page that compromises the reader may write anything in place of an article. */
  const checked = Effect.fnUntraced(function* <A extends { readonly article?: string | undefined }>(
    what: "browser" | "page" | "site",
    found: A
  ) {
    if (isCleanArticle(found.article ?? "")) return found
    yield* Measure.readerFailures.count(what, "article")
    yield* Effect.logWarning("page: its article was dropped because it is not clean", { what })
    return { ...found, article: "" }
  })

  const readPage = Effect.fn("Sandbox.readPage")(function* (
    page: Omit<Extract<SandboxRequest, { do: "page" }>, "do">,
    body: Uint8Array
  ) {
    let refused: PageFailure | undefined
    let sentOn: SentOn | undefined
    let stated: Metadata | undefined
    let content = noContent
    const request: SandboxRequest = { do: "page", ...page }
    // Its first bytes say which limits a document needs, whatever the server calls it.
    const kind = binaryKindOf(body, page.contentType)
    const pool = kind === undefined || kind === "binary" ? pages : documents
    const ended = yield* pool.ask(request, body).pipe(
      Stream.runForEach(({ message }) =>
        Effect.sync(() => {
          if (message.said === "refused") refused = message
          if (message.said === "sent-on") sentOn = new SentOn({ to: message.to })
          if (message.said === "metadata") stated = message.metadata
          if (message.said === "content") content = message.content
        })
      ),
      Effect.tapError(counted("page")),
      Effect.either
    )
    const cut = Option.getOrNull(Option.map(Either.getLeft(ended), ({ reason }) => reason))
    if (sentOn !== undefined) return yield* sentOn
    if (stated === undefined) {
      const failure: PageFailure = { reason: cut ?? "reply", titles: [] }
      return yield* Effect.fail(refused ?? failure)
    }
    const read: ReadPage = { metadata: stated, content: yield* checked("page", content), cut }
    return read
  })

  const readBrowserPage = Effect.fn("Sandbox.readBrowserPage")(function* (
    url: URL,
    { html, ...texts }: BrowserPage
  ) {
    const request: SandboxRequest = { do: "browser", url: url.href, ...texts }
    const last = yield* pages.ask(request, html).pipe(
      Stream.runLast,
      Effect.tapError(counted("browser")),
      Effect.mapError(({ reason }) => reason)
    )
    const { message } = yield* Effect.mapError(last, () => "reply" as const)
    if (message.said === "browser") return Option.some(yield* checked("browser", message.text))
    return message.said === "refused" ? Option.none<BrowserText>() : yield* Effect.fail("reply" as const)
  })

  const readSite = Effect.fn("Sandbox.readSite")(function* (
    asked: Omit<Extract<SandboxRequest, { do: "site" }>, "do">,
    answer: Uint8Array
  ) {
    const request: SandboxRequest = { do: "site", ...asked }
    const last = yield* pages.ask(request, answer).pipe(
      Stream.runLast,
      Effect.tapError(counted("site")),
      Effect.mapError(({ reason }) => reason)
    )
    const { message } = yield* Effect.mapError(last, () => "reply" as const)
    if (message.said === "site") return Option.some(yield* checked("site", message.site))
    return message.said === "no-site" ? Option.none<SitePage>() : yield* Effect.fail("reply" as const)
  })

  const shrink = Effect.fn("Sandbox.shrink")(function* (kind: PictureUse, picture: Uint8Array) {
    const request: SandboxRequest = { do: "picture", kind }
    const answer = yield* pictures.ask(request, picture).pipe(
      Stream.runLast,
      Effect.tapError(counted("picture")),
      Effect.mapError(({ reason }): PictureFailure => reason)
    )
    const { bytes, message } = yield* Effect.mapError(answer, (): PictureFailure => "reply")
    if (message.said === "picture") return bytes
    return yield* Effect.fail<PictureFailure>(message.said === "no-picture" ? message.reason : "reply")
  })

  return { readPage, readBrowserPage, readSite, shrink }
})

/** Reads untrusted input in child processes, which are killed when they exceed their time or memory limit. */
export class Sandbox extends Context.Tag("Sandbox")<
  Sandbox,
  Effect.Effect.Success<ReturnType<typeof make>>
>() {
  static readonly layer = (...given: Parameters<typeof make>) => Layer.scoped(Sandbox, make(...given))
}
