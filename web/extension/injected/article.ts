import { copyPage } from "../article.ts"

Object.assign(globalThis, { "linkbower article": copyPage })
