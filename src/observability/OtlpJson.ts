import { VERSION } from "../version.ts"

/** A value as OTLP writes it in JSON (opentelemetry-proto, common/v1): 64-bit integers are text. */
export type AnyValue =
  | { readonly stringValue: string }
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly boolValue: boolean }

export interface KeyValue {
  readonly key: string
  readonly value: AnyValue
}

const valueOf = (value: unknown): AnyValue => {
  if (typeof value === "boolean") return { boolValue: value }
  if (typeof value === "number")
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
  return { stringValue: String(value) }
}

/** Named values as OTLP writes them. */
export const attributesOf = (entries: Iterable<readonly [string, unknown]>): ReadonlyArray<KeyValue> =>
  [...entries].map(([key, value]) => ({ key, value: valueOf(value) }))

/** Who is telling (OpenTelemetry semantic conventions, `service.*`). */
export const resource = {
  attributes: attributesOf([
    ["service.name", "linkbower"],
    ["service.version", VERSION]
  ])
}

/** Which part of it. */
export const scope = { name: "linkbower", version: VERSION }

/** A moment in milliseconds since the epoch, in the nanoseconds OTLP counts. */
export const nanosOf = (millis: number): string => `${Math.round(millis)}000000`
