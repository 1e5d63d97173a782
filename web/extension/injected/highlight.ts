import { readSelected } from "../highlight.ts"

Object.assign(globalThis, { "linkbower highlight": readSelected })
