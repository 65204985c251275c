// What the page and its worker on a site tell each other.

/** A question, as a request to a server. */
export interface Asked {
  readonly id: number;
  readonly method: string;
  readonly path: string; // "home"
  readonly body: ArrayBuffer;
}

/** Its answer, or something that has happened. */
export type Told =
  | {
      readonly id: number;
      readonly status: number;
      readonly headers: Record<string, string>;
      readonly body: ArrayBuffer;
    }
  | { readonly event: string; readonly data: string };
