import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { Accepted, Capture, Saved } from "../../domain/Capture.ts"
import {
  Action,
  FailuresAnswer,
  JobAnswer,
  JobsAnswer,
  LinksAnswer,
  LinksByNumberAnswer,
  MetaAnswer
} from "./Answers.ts"
import {
  BadRequest,
  Conflict,
  IdempotencyKeyReused,
  NotFound,
  StaleUndo,
  TooLarge,
  Unavailable
} from "./Failures.ts"
import { jsonPayload, pathNumber } from "./Input.ts"
import { AccessGate, JsonBody } from "./Middleware.ts"
import { Mutation, MutationAnswer, UndoAnswer } from "./Mutation.ts"
import {
  CaptureHeaders,
  documented,
  ExportParameters,
  Html,
  ImportParameters,
  LinksByIdsParameters,
  OwnerListParameters,
  Picture
} from "./Parameters.ts"

const linkPath = Schema.Struct({ id: pathNumber("A link has a number.") })

/** The owner's API, behind the access gateway. */
export const dashboard = HttpApiGroup.make("dashboard")
  .add(
    HttpApiEndpoint.get("links", "/api/links")
      .setUrlParams(OwnerListParameters)
      .addSuccess(LinksAnswer)
      .annotateContext(
        documented(
          "Lists or searches links",
          "Without `limit`, every link that fits. `highlights` says where the searched words stand in each."
        )
      )
  )
  .add(
    HttpApiEndpoint.get("linksByIds", "/api/links/some")
      .setUrlParams(LinksByIdsParameters)
      .addSuccess(LinksByNumberAnswer)
      .annotateContext(documented("Gives links by their numbers"))
  )
  .add(
    HttpApiEndpoint.post("save", "/api/links")
      .setHeaders(CaptureHeaders)
      .setPayload(jsonPayload(Capture))
      .addSuccess(Saved)
      .addSuccess(Accepted, { status: 202 })
      .addError(IdempotencyKeyReused.schema)
      .middleware(JsonBody)
      .annotateContext(documented("Saves a link", "What a capture does, for the owner in the dashboard."))
  )
  .add(
    HttpApiEndpoint.get("meta", "/api/meta")
      .addSuccess(MetaAnswer)
      .annotateContext(documented("Counts the library, and tells how the service is set up"))
  )
  .add(
    HttpApiEndpoint.post("mutate", "/api/mutate")
      .setPayload(jsonPayload(Mutation))
      .addSuccess(MutationAnswer)
      .addError(StaleUndo.schema)
      .middleware(JsonBody)
      .annotateContext(
        documented(
          "Changes links",
          'One change to one or many links: to all of them or to none. A change of more than 100 links is written down and made in pieces; the answer comes once all of them are changed. The answer\'s `undo` undoes it, sent as the token of an `undo`; deleting and merging are final. An undo that would overwrite a newer change is 409 `changed_since` unless it has `"force": true`.'
        )
      )
  )
  .add(
    HttpApiEndpoint.del("removeCollection", "/api/collections/:id")
      .setPath(Schema.Struct({ id: pathNumber("A collection has a number.") }))
      .addSuccess(UndoAnswer)
      .addError(Conflict.schema)
      .annotateContext(
        documented(
          "Deletes an empty collection",
          "A collection that holds links is kept (409): move them out first. The answer's `undo` is the token of an `undo`."
        )
      )
  )
  .add(
    HttpApiEndpoint.post("action", "/api/action")
      .setPayload(jsonPayload(Action))
      .addSuccess(JobAnswer, { status: 202 })
      .middleware(JsonBody)
      .annotateContext(
        documented("Starts a job", "One of a kind runs at a time: a second start answers the one that runs.")
      )
  )
  .add(
    HttpApiEndpoint.get("jobs", "/api/jobs")
      .addSuccess(JobsAnswer)
      .annotateContext(documented("Lists the jobs that run, and the last that ran"))
  )
  .add(
    HttpApiEndpoint.get("job", "/api/jobs/:id")
      .setPath(Schema.Struct({ id: pathNumber("A job has a number.", /^\d{1,15}$/) }))
      .addSuccess(JobAnswer)
      .annotateContext(documented("Gives a job, with its progress and its result"))
  )
  .add(
    HttpApiEndpoint.get("failures", "/api/failures")
      .addSuccess(FailuresAnswer)
      .annotateContext(
        documented(
          "Lists what was given up",
          "Messages and captures that could not be saved after repeated failures, kept for 90 days, and the number of incomplete links. The action `retry` tries all of them again."
        )
      )
  )
  .add(
    HttpApiEndpoint.post("retryFailure", "/api/failures/:id")
      .setPath(Schema.Struct({ id: Schema.String }))
      .addSuccess(FailuresAnswer)
      .annotateContext(documented("Tries a failed message or capture again"))
  )
  .add(
    HttpApiEndpoint.del("forgetFailure", "/api/failures/:id")
      .setPath(Schema.Struct({ id: Schema.String }))
      .addSuccess(FailuresAnswer)
      .annotateContext(documented("Deletes a failed message or capture"))
  )
  .add(
    HttpApiEndpoint.get("events", "/api/events")
      .addSuccess(HttpApiSchema.Text({ contentType: "text/event-stream" }))
      .annotateContext(
        documented(
          "Tells what happens, as it happens",
          "Server-sent events: `link` (saved, changed, deleted) and `job` (its progress, and a result without lists). At most 200 clients may listen; more are answered 503."
        )
      )
  )
  .add(
    HttpApiEndpoint.get("image", "/api/links/:id/image")
      .setPath(linkPath)
      .addSuccess(Picture)
      .annotateContext(documented("Gives a link's picture, made small"))
  )
  .add(
    HttpApiEndpoint.get("favicon", "/api/links/:id/favicon")
      .setPath(linkPath)
      .addSuccess(Picture)
      .annotateContext(documented("Gives the icon of a link's site"))
  )
  .add(
    HttpApiEndpoint.post("importFile", "/api/import")
      .setUrlParams(ImportParameters)
      .setPayload(HttpApiSchema.Uint8Array())
      .addSuccess(JobAnswer, { status: 202 })
      .addError(TooLarge.schema)
      .annotateContext(
        documented(
          "Imports a file of links",
          "The body is the file, of at most 128 MiB. Its format is found out."
        )
      )
  )
  .add(
    HttpApiEndpoint.get("exportLibrary", "/api/export")
      .setUrlParams(ExportParameters)
      .addSuccess(HttpApiSchema.Text({ contentType: "application/octet-stream" }))
      .annotateContext(documented("Exports the library as one file"))
  )
  .add(HttpApiEndpoint.get("page", "/").addSuccess(Html).annotate(OpenApi.Exclude, true))
  .prefix("/dashboard")
  .addError(BadRequest.schema)
  .addError(NotFound.schema)
  .addError(Unavailable.schema)
  .middlewareEndpoints(AccessGate)
  .annotate(
    OpenApi.Description,
    "Gate 4: for the owner, through the access gateway, whose signed token every request carries."
  )
