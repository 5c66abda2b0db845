/** What a configuration file says. Loaded for the first one that there is: it needs the names of all rules. */
import {
  type ConfigurationReading,
  type DatasetInfo,
  readConfiguration,
  readDatasetInfo,
} from '../../../core/src/internal.ts'

/** Reads the text of a configuration file. Never throws. */
export function parseConfiguration(text: string): ConfigurationReading {
  return readConfiguration(text)
}

/** Reads the text of a `dataset_info.json`. Never throws. */
export function parseDatasetInfo(text: string): DatasetInfo {
  return readDatasetInfo(text)
}
