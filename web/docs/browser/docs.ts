/** What a page of the documentation does beside being read. Each part works without the others, the page without all. */
import { startCopying } from "./copy.ts"
import { startFinder } from "./finder.ts"
import { startReading } from "./reading.ts"
import { startTheme } from "./theme.ts"

startTheme()
startFinder()
startCopying()
startReading()
