import { HttpApiSchema } from "@effect/platform"

export const Html = HttpApiSchema.Text({ contentType: "text/html; charset=utf-8" })

/** A picture: the type says which, for what nothing here decodes stays what it was. */
export const Picture = HttpApiSchema.Uint8Array({ contentType: "image/webp" })
