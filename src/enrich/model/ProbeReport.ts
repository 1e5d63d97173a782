import type { ModelChoice } from "../../config/ModelChoice.ts"
import type { ProbeError } from "../fetch/Probe.ts"

const MEANWHILE = "until then, links are saved without summary and tags"

const modelSettings = {
  messages: {
    url: "ANTHROPIC_BASE_URL",
    key: "Set ANTHROPIC_API_KEY to a valid key.",
    missing: "Check ANTHROPIC_BASE_URL, and that the key's workspace may use the model.",
    protocol: "Check that ANTHROPIC_BASE_URL is a server with the Messages API."
  },
  chat: {
    url: "MODEL_URL",
    key: "Set MODEL_API_KEY to a valid key of that server.",
    missing:
      "Check MODEL_URL, and set MODEL_NAME to a model that the server has; a local one may need a download.",
    protocol:
      "Check that MODEL_URL is the base URL of an OpenAI-compatible API, such as http://localhost:11434/v1."
  }
} as const

interface ProbeReport {
  /** A part of a sentence. */
  readonly detail: string
  /** A sentence. */
  readonly advice: string
}

export const explainProbe = ({ api }: ModelChoice, { reason, status }: ProbeError): ProbeReport => {
  const setting = modelSettings[api]
  switch (reason) {
    case "unreachable":
      return {
        detail: "its server cannot be reached",
        advice: `Check the network and ${setting.url}; ${MEANWHILE}.`
      }
    case "timeout":
      return {
        detail: "its server does not answer in time",
        advice: `Check the network; ${MEANWHILE}.`
      }
    case "refused":
      return { detail: `its server rejects the key (${status})`, advice: setting.key }
    case "missing":
      return { detail: "its server does not have this model (404)", advice: setting.missing }
    case "limited":
      return {
        detail: "its server limits requests (429)",
        advice: `Raise the key's limit, or wait; ${MEANWHILE}.`
      }
    case "status":
      return {
        detail: `its server responds with ${status}`,
        advice: `Try again later, and check the provider's status; ${MEANWHILE}.`
      }
    case "garbage":
      return { detail: "its server sent an unexpected response", advice: setting.protocol }
  }
}
