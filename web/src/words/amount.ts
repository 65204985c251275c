/** A number as people write it: "1,000". */
export const numeral = (count: number) => count.toLocaleString("en");
/** A number of things: "1 cell", "1,000 cells". */
export const amount = (count: number, one: string, many = `${one}s`) => `${numeral(count)} ${count === 1 ? one : many}`;
