import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { DateTime, Effect, Stream } from "effect"
import { type HighlightEdit, HighlightId } from "../domain/Highlight.ts"
import { LinkId } from "../domain/Link.ts"
import { Highlights } from "../library/Highlights.ts"
import { encodeHighlightPlace } from "../shared/HighlightParameters.ts"
import { HighlightStore } from "../store/pages/HighlightStore.ts"
import { Api } from "./api/Api.ts"
import { baseAddress } from "./BaseAddress.ts"

const file = (name: string, extension: string, contentType: string, text: Stream.Stream<string>) =>
  Effect.map(DateTime.now, (now) => {
    const dated = `${name}-${DateTime.formatIsoDateUtc(now)}.${extension}`
    return HttpServerResponse.stream(Stream.encodeText(text), {
      contentType,
      headers: { "content-disposition": `attachment; filename="${dated}"`, "cache-control": "no-store" }
    })
  })

export const layer = HttpApiBuilder.group(
  Api,
  "highlights",
  Effect.fn(function* (handlers) {
    const highlights = yield* Highlights
    const stored = yield* HighlightStore

    const change = (link: number, id: number, edit: HighlightEdit) =>
      highlights.change(LinkId.make(link), HighlightId.make(id), edit)
    const remove = (link: number, id: number) =>
      Effect.map(highlights.remove(LinkId.make(link), HighlightId.make(id)), (undo) => ({ undo }))

    return (
      handlers
        .handle("ofLink", ({ path }) =>
          Effect.map(highlights.ofKnownLink(LinkId.make(path.id)), (found) => ({ highlights: found }))
        )
        .handle("add", ({ path, payload }) => highlights.add(LinkId.make(path.id), payload))
        .handle("change", ({ path, payload }) => change(path.id, path.highlightId, payload))
        .handle("remove", ({ path }) => remove(path.id, path.highlightId))
        .handle("changeNamed", ({ path, payload: { id, ...edit } }) => change(path.id, id, edit))
        .handle("removeNamed", ({ path, payload }) => remove(path.id, payload.id))
        .handle("list", ({ urlParams: { cursor: after, limit, ...narrowing } }) =>
          Effect.gen(function* () {
            const found = yield* stored.list({ ...narrowing, after, limit: limit + 1 })
            const page = found.slice(0, limit)
            const last = page.at(-1)
            return {
              highlights: page,
              total: yield* stored.count(narrowing),
              nextCursor:
                last === undefined || found.length === page.length ? null : encodeHighlightPlace(last)
            }
          })
        )
        // Raw: a streamed file.
        .handleRaw("markdown", ({ urlParams }) =>
          file("highlights", "md", "text/markdown; charset=utf-8", highlights.markdown(urlParams))
        )
        // Raw: a streamed file.
        .handleRaw("annotations", ({ urlParams }) =>
          Effect.flatMap(baseAddress, (base) =>
            file("highlights", "json", "application/ld+json", highlights.annotations(urlParams, base))
          )
        )
    )
  })
)
