/** The options of commands that read conversations and the samples of datasets: how they are found, read, and judged. */
import { configurationOptions } from '../configuration/configurations.ts'
import { dialectOption, roleOption } from '../dialect-option.ts'
import { searchOptions } from '../files/search-options.ts'
import { fromOption } from '../form-options.ts'
import { datasetOptions } from './dataset-source.ts'

/** The options, in the order in which help lists them. */
export const sampleOptions = {
  from: fromOption,
  ...searchOptions,
  ...datasetOptions,
  ...configurationOptions,
  role: roleOption,
  dialect: dialectOption,
} as const
