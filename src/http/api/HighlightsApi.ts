import { HttpApiSchema } from "@effect/platform"
import { Schema } from "effect"
import {
  Highlight,
  HighlightEdit,
  HighlightId,
  ListedHighlight,
  NewHighlight
} from "../../domain/Highlight.ts"
import { LinkId } from "../../domain/Link.ts"
import {
  HIGHLIGHT_PAGE,
  highlightColours,
  highlightParameters,
  MAX_HIGHLIGHT_PAGE
} from "../../shared/HighlightParameters.ts"
import type { Parameter } from "../../shared/ListParameters.ts"
import { UndoAnswer } from "./Bodies.ts"
import { del, get, group, patch, post } from "./Endpoint.ts"
import { BadRequest, Conflict, NotFound, Unavailable } from "./Failures.ts"
import { described, parameter, pathNumber, queryParameters, withDefault } from "./Input.ts"
import { AccessGate } from "./Middleware.ts"
import { anyText, CURSOR, linkPath } from "./Parameters.ts"

const highlightPath = Schema.Struct({
  ...linkPath.fields,
  highlightId: pathNumber("A highlight's number must be a positive integer.")
})

const linkNumber: Parameter<LinkId> = {
  mustBe: highlightParameters.link.mustBe,
  parse: (text) => {
    const number = highlightParameters.link.parse(text)
    return number === undefined ? undefined : LinkId.make(number)
  }
}

const narrowing = {
  q: parameter("Words that the passage or its note contains; the last one may be incomplete.", anyText),
  colour: parameter("Only highlights of this colour.", highlightParameters.colour, {
    type: "string",
    enum: highlightColours
  }),
  link: parameter("Only highlights of the link with this number.", linkNumber, {
    type: "integer",
    minimum: 1
  })
}

const FileParameters = queryParameters(narrowing)

const HighlightListParameters = queryParameters({
  ...narrowing,
  limit: withDefault(
    parameter(
      `The number of highlights on a page; ${HIGHLIGHT_PAGE} by default.`,
      highlightParameters.limit,
      { type: "integer", minimum: 1, maximum: MAX_HIGHLIGHT_PAGE }
    ),
    HIGHLIGHT_PAGE
  ),
  cursor: parameter(CURSOR, highlightParameters.cursor)
})

/** A link's highlights, in the order of the page's text. */
const LinkHighlightsAnswer = Schema.Struct({ highlights: Schema.Array(Highlight) })

/** A page of all highlights, newest first. */
export const HighlightsAnswer = Schema.Struct({
  highlights: Schema.Array(ListedHighlight),
  total: described(Schema.Int, "The number of matching highlights on all pages."),
  nextCursor: described(Schema.NullOr(Schema.String), "The cursor of the next page; null on the last one.")
})
export type HighlightsAnswer = typeof HighlightsAnswer.Type

/** A highlight after a change, and the token that undoes the change. */
export const HighlightAnswer = Schema.Struct({ highlight: Highlight, undo: Schema.String })

const named = { id: HighlightId }

export const highlights = group(
  "highlights",
  {
    place: "/dashboard/api",
    fails: [BadRequest, NotFound, Unavailable],
    says: "Gate 4, as above: highlighted passages."
  },
  get("ofLink", "/links/:id/highlights", "Lists a link's highlights", {
    path: linkPath,
    answer: LinkHighlightsAnswer,
    more: "In the order of the page's text; highlights not found in the text come last."
  }),
  post("add", "/links/:id/highlights", "Highlights a passage of a link's page", {
    path: linkPath,
    body: NewHighlight,
    answer: HighlightAnswer,
    status: 201,
    fails: [Conflict.schema],
    more: "`quote` is the passage, which the service looks for in the kept page; `prefix`, `suffix` and `start` say which occurrence is meant. A link can have 1,000 highlights; adding another gets 409."
  }),
  patch("change", "/links/:id/highlights/:highlightId", "Changes the colour or the note of a highlight", {
    path: highlightPath,
    body: HighlightEdit,
    answer: HighlightAnswer
  }),
  del("remove", "/links/:id/highlights/:highlightId", "Deletes a highlight", {
    path: highlightPath,
    answer: UndoAnswer,
    more: "To undo this, send `undo` as the `token` of an `undo`."
  }),
  patch("changeNamed", "/links/:id/highlights", "Changes the highlight whose `id` is in the body", {
    path: linkPath,
    body: Schema.Struct({ ...named, ...HighlightEdit.fields }),
    answer: HighlightAnswer
  }),
  del("removeNamed", "/links/:id/highlights", "Deletes the highlight whose `id` is in the body", {
    path: linkPath,
    body: Schema.Struct(named),
    answer: UndoAnswer
  }),
  get("list", "/highlights", "Lists or searches all highlights", {
    query: HighlightListParameters,
    answer: HighlightsAnswer,
    more: "Newest first, without highlights of links in the trash."
  }),
  get("markdown", "/highlights.md", "Exports highlights as Markdown", {
    query: FileParameters,
    answer: HttpApiSchema.Text({ contentType: "text/markdown" }),
    more: "A section for each link; with `link`, only that link's."
  }),
  get("annotations", "/highlights.json", "Exports highlights as Web Annotations", {
    query: FileParameters,
    answer: HttpApiSchema.Text({ contentType: "application/ld+json" }),
    more: "An annotation page in JSON-LD, as the [Web Annotation Data Model](https://www.w3.org/TR/annotation-model/) describes it."
  })
).middlewareEndpoints(AccessGate)
