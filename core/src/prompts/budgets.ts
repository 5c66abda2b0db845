/** The key of the header that limits the tokens of a prompt. */
export const budgetsKey = 'budgets'
