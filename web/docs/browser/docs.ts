/** The script of every documentation page. Each part works without the others, and the page works without all. */
import { startCopying } from "./copy.ts"
import { startFinder } from "./finder.ts"
import { startReading } from "./reading.ts"
import { startTheme } from "./theme.ts"

startTheme()
startFinder()
startCopying()
startReading()
