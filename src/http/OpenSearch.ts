import { HttpLayerRouter, HttpServerRequest } from "@effect/platform"
import { Effect } from "effect"
import { shellAssets } from "../../dist/app/assets.ts"
import { escapeXml } from "../shared/Xml.ts"
import { feedBase } from "./BaseAddress.ts"
import { compressResponse, conditionalResponse } from "./EmbeddedFile.ts"

/** The address of the description by which browsers offer the library as a search engine (OpenSearch 1.1). */
export const OPEN_SEARCH = "/opensearch.xml"

const documentOf = (base: string) => `<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<ShortName>Linkbower</ShortName>
<Description>Search your link library</Description>
<InputEncoding>UTF-8</InputEncoding>
<Image width="32" height="32" type="image/svg+xml">${escapeXml(base + shellAssets.icons.svg)}</Image>
<Url type="text/html" method="get" template="${escapeXml(`${base}/dashboard?q={searchTerms}`)}"/>
</OpenSearchDescription>
`

/** Serves the description. It is open to everyone and says nothing of the library; the search itself is the dashboard. */
export const routes = Effect.flatMap(HttpLayerRouter.HttpRouter, ({ add }) =>
  add(
    "GET",
    OPEN_SEARCH,
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const document = documentOf(yield* feedBase)
      return compressResponse(
        request,
        yield* conditionalResponse(document, "application/opensearchdescription+xml; charset=utf-8")
      )
    })
  )
)
