import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { PublicLinksAnswer, PublicMetaAnswer } from "./Answers.ts"
import { BadRequest, Forbidden, NotFound, TooManyRequests, Unavailable } from "./Failures.ts"
import {
  documented,
  FeedParameters,
  Html,
  Picture,
  PictureParameters,
  PublicListParameters
} from "./Parameters.ts"

/** The public API: the shared links. */
export const list = HttpApiGroup.make("list")
  .add(
    HttpApiEndpoint.get("links", "/list/api/links")
      .setUrlParams(PublicListParameters)
      .addSuccess(PublicLinksAnswer)
      .annotateContext(documented("Lists or searches the shared links"))
  )
  .add(
    HttpApiEndpoint.get("meta", "/list/api/meta")
      .addSuccess(PublicMetaAnswer)
      .annotateContext(documented("Counts the shared links"))
  )
  .add(
    HttpApiEndpoint.get("feed", "/list/feed.xml")
      .setUrlParams(FeedParameters)
      .addSuccess(HttpApiSchema.Text({ contentType: "application/atom+xml" }))
      .annotateContext(documented("Gives the shared links as an Atom feed, the newest first"))
  )
  .add(
    HttpApiEndpoint.get("image", "/list/image")
      .setUrlParams(PictureParameters)
      .addSuccess(Picture)
      .annotateContext(documented("Gives the picture of a shared link"))
  )
  .add(
    HttpApiEndpoint.get("favicon", "/list/favicon")
      .setUrlParams(PictureParameters)
      .addSuccess(Picture)
      .annotateContext(documented("Gives the icon of a shared link's site"))
  )
  .add(HttpApiEndpoint.get("page", "/list").addSuccess(Html).annotate(OpenApi.Exclude, true))
  .addError(BadRequest.schema)
  .addError(Forbidden.schema)
  .addError(NotFound.schema)
  .addError(TooManyRequests.schema)
  .addError(Unavailable.schema)
  .annotate(OpenApi.Description, "Open to everybody: the links that are shared, and nothing else.")
