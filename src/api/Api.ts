import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { Capture, CaptureAnswer } from "../domain/Capture.ts"
import {
  Action,
  JobAnswer,
  JobsAnswer,
  LinksAnswer,
  LinksByNumberAnswer,
  MetaAnswer,
  PublicLinksAnswer,
  PublicMetaAnswer
} from "./Answers.ts"
import { BadRequest, Forbidden, NotFound, TooLarge, Unavailable, UnsupportedMediaType } from "./Failures.ts"
import { AccessGate, ExtensionGate, SameSiteGate, WebhookGate } from "./Gates.ts"
import { Mutation, MutationAnswer } from "./Mutation.ts"

/** A chat update: any JSON the platform sends. Which parts are read is the bot's matter. */
const Update = Schema.Unknown

const Html = HttpApiSchema.Text({ contentType: "text/html; charset=utf-8" })

/** A picture: the type says which, for what nothing here decodes stays what it was. */
const Picture = HttpApiSchema.Uint8Array({ contentType: "image/webp" })

const webhook = HttpApiGroup.make("webhook")
  .add(
    HttpApiEndpoint.post("receive", "/webhook").setPayload(Update).addSuccess(Schema.Void, { status: 200 })
  )
  .addError(BadRequest.schema)
  .addError(TooLarge.schema)
  .addError(UnsupportedMediaType.schema)
  .addError(Unavailable.schema)
  .middleware(WebhookGate)

const capture = HttpApiGroup.make("capture")
  .add(HttpApiEndpoint.post("link", "/link").setPayload(Capture).addSuccess(CaptureAnswer))
  .prefix("/capture/api")
  .addError(BadRequest.schema)
  .addError(TooLarge.schema)
  .addError(UnsupportedMediaType.schema)
  .addError(Unavailable.schema)
  .middleware(ExtensionGate)

const dashboard = HttpApiGroup.make("dashboard")
  .add(HttpApiEndpoint.get("links", "/api/links").addSuccess(LinksAnswer))
  .add(HttpApiEndpoint.get("some", "/api/links/some").addSuccess(LinksByNumberAnswer))
  .add(HttpApiEndpoint.post("save", "/api/links").setPayload(Capture).addSuccess(CaptureAnswer))
  .add(HttpApiEndpoint.get("meta", "/api/meta").addSuccess(MetaAnswer))
  .add(HttpApiEndpoint.post("mutate", "/api/mutate").setPayload(Mutation).addSuccess(MutationAnswer))
  .add(
    HttpApiEndpoint.post("action", "/api/action").setPayload(Action).addSuccess(JobAnswer, { status: 202 })
  )
  .add(HttpApiEndpoint.get("jobs", "/api/jobs").addSuccess(JobsAnswer))
  .add(
    HttpApiEndpoint.get("job")`/api/jobs/${HttpApiSchema.param("id", Schema.String)}`.addSuccess(JobAnswer)
  )
  .add(
    HttpApiEndpoint.get("image")`/api/links/${HttpApiSchema.param("id", Schema.String)}/image`.addSuccess(
      Picture
    )
  )
  .add(
    HttpApiEndpoint.get("favicon")`/api/links/${HttpApiSchema.param("id", Schema.String)}/favicon`.addSuccess(
      Picture
    )
  )
  .add(
    HttpApiEndpoint.post("take", "/api/import")
      .setPayload(HttpApiSchema.Uint8Array())
      .addSuccess(JobAnswer, { status: 202 })
  )
  .add(
    HttpApiEndpoint.get("give", "/api/export").addSuccess(
      HttpApiSchema.Text({ contentType: "application/octet-stream" })
    )
  )
  .add(
    HttpApiEndpoint.get("events", "/api/events").addSuccess(
      HttpApiSchema.Text({ contentType: "text/event-stream" })
    )
  )
  .add(HttpApiEndpoint.get("page", "/").addSuccess(Html).annotate(OpenApi.Exclude, true))
  .prefix("/dashboard")
  .addError(BadRequest.schema)
  .addError(Forbidden.schema)
  .addError(NotFound.schema)
  .addError(TooLarge.schema)
  .addError(UnsupportedMediaType.schema)
  .addError(Unavailable.schema)
  .middleware(SameSiteGate)
  .middleware(AccessGate)

const list = HttpApiGroup.make("list")
  .add(HttpApiEndpoint.get("links", "/list/api/links").addSuccess(PublicLinksAnswer))
  .add(HttpApiEndpoint.get("meta", "/list/api/meta").addSuccess(PublicMetaAnswer))
  .add(
    HttpApiEndpoint.get("feed", "/list/feed.xml").addSuccess(
      HttpApiSchema.Text({ contentType: "application/atom+xml" })
    )
  )
  .add(HttpApiEndpoint.get("image", "/list/image").addSuccess(Picture))
  .add(HttpApiEndpoint.get("favicon", "/list/favicon").addSuccess(Picture))
  .add(HttpApiEndpoint.get("page", "/list").addSuccess(Html).annotate(OpenApi.Exclude, true))
  .addError(BadRequest.schema)
  .addError(Forbidden.schema)
  .addError(NotFound.schema)

const status = HttpApiGroup.make("status", { topLevel: true }).add(
  HttpApiEndpoint.get("healthz", "/healthz").addSuccess(
    Schema.Struct({ status: Schema.Literal("ok"), version: Schema.String })
  )
)

/** The endpoints the framework serves from their declaration. */
export class ServedApi extends HttpApi.make("linkbower").add(capture).add(dashboard).add(list).add(status) {}

/**
 * Every endpoint, with its gate: what the documentation is made from. The webhook alone is served by a plain route,
 * for its answer must cost little more than the disk's sync.
 */
export class Api extends ServedApi.add(webhook).annotate(OpenApi.Title, "Linkbower") {}
