import { copySnapshot } from "../snapshot.ts"

Object.assign(globalThis, { "linkbower snapshot": copySnapshot })
