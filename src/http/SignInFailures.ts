import { HttpApp, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import type { TooManyAttempts } from "../gates/Attempts.ts"
import type { PasskeyRefused } from "../gates/Passkeys.ts"
import { count } from "../shared/Format.ts"
import type { QuestionNotSent, QuestionRefused } from "../telegram/SignInQuestions.ts"
import {
  BadRequest,
  Forbidden,
  tooManyRequests,
  Unavailable,
  WrongCode,
  WrongPasskey,
  WrongPassword
} from "./api/Failures.ts"

type Sentence = { readonly message: string }

const waitText = (seconds: number) =>
  seconds < 60 ? count(seconds, "second") : count(Math.ceil(seconds / 60), "minute")

const tooMany = (seconds: number, problem: string) =>
  tooManyRequests(seconds, `${problem} Try again in ${waitText(seconds)}.`)

const closeConnection = HttpApp.appendPreResponseHandler((_, response) =>
  Effect.succeed(HttpServerResponse.setHeader(response, "connection", "close"))
)

/** How each failure of a sign-in is answered, by its tag. */
export const signInAnswers = {
  CodeRefused: () => new WrongCode(),
  ConnectionExposed: ({ message }: Sentence) => new Forbidden(message),
  PasskeyRefused: ({ reason }: PasskeyRefused) =>
    Effect.zipRight(Effect.logDebug(`a passkey was refused: ${reason}`), new WrongPasskey()),
  PasskeysUnavailable: ({ message }: Sentence) => new BadRequest(message),
  PasswordUnusable: ({ message }: Sentence) => new BadRequest(message),
  PasswordWrong: () => new WrongPassword(),
  QuestionNotSent: ({ reason }: QuestionNotSent) =>
    Effect.zipRight(
      Effect.logWarning(`The question whether a browser may sign in was not sent: ${reason}`),
      new Unavailable("Telegram did not accept the message. Try again in a moment, or use another way.")
    ),
  QuestionRefused: ({ because, seconds }: QuestionRefused) =>
    tooMany(
      seconds,
      because === "waiting"
        ? "Another browser is already asking in the chat. If it is not yours, deny it there."
        : "The bot has asked too often."
    ),
  StoreUnavailable: () => new Unavailable(),
  // The connection closes, because the body that may follow is not waited for.
  TooManyAttempts: ({ seconds }: TooManyAttempts) =>
    Effect.zipRight(closeConnection, tooMany(seconds, "There were too many attempts."))
}
