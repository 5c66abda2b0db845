/** The schema of the YAML header with the words of the format as values. */
import { type HeaderSchema, headerSchema } from '../embedded/header-schema.ts'
import { headerWords } from '../vocabulary/header-values.ts'

/** What the header of a transcript may say. */
export const documentHeaderSchema: HeaderSchema = headerSchema(headerWords)
