import { HttpLayerRouter, HttpServerResponse } from "@effect/platform"
import { Layer } from "effect"
import { welcomePage } from "./Pages.ts"
import css from "./plain.css" with { type: "text" }

/** The public files: the page that says what this is, and the plain pages' style sheet. */
export const layer = Layer.mergeAll(
  HttpLayerRouter.add("GET", "/", welcomePage),
  HttpLayerRouter.add(
    "GET",
    "/app/plain.css",
    HttpServerResponse.text(css, { contentType: "text/css; charset=utf-8" })
  )
)
