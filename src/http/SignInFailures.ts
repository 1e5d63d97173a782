import { HttpApp, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import type { TooManyAttempts } from "../gates/Attempts.ts"
import { count } from "../shared/Format.ts"
import type { QuestionRefused } from "../telegram/SignInQuestions.ts"
import { tooManyRequests } from "./api/Failures.ts"

const waitText = (seconds: number) =>
  seconds < 60 ? count(seconds, "second") : count(Math.ceil(seconds / 60), "minute")

const tooMany = (seconds: number, problem: string) =>
  tooManyRequests(seconds, `${problem} Try again in ${waitText(seconds)}.`)

const closeConnection = HttpApp.appendPreResponseHandler((_, response) =>
  Effect.succeed(HttpServerResponse.setHeader(response, "connection", "close"))
)

/** The connection closes, because the body that may follow is not waited for. */
export const tooManyAttempts = ({ seconds }: TooManyAttempts) =>
  Effect.zipRight(closeConnection, tooMany(seconds, "There were too many attempts."))

export const questionRefused = ({ because, seconds }: QuestionRefused) =>
  tooMany(
    seconds,
    because === "waiting"
      ? "Another browser is already asking in the chat. If it is not yours, deny it there."
      : "The bot has asked too often."
  )
