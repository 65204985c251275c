// Answers of the server about a value, each asked for once: values never change, so another one is another question.

/** A function that asks about a value, by the name of the question; what was refused is asked again next time. */
export function remembered<V extends object, T>() {
  const known = new WeakMap<V, Map<string, Promise<T>>>();
  return (value: V, name: string, ask: () => Promise<T>): Promise<T> => {
    const answers = known.get(value) ?? new Map<string, Promise<T>>();
    known.set(value, answers);
    const answer = answers.get(name) ?? ask();
    answers.set(name, answer);
    answer.catch(() => answers.delete(name));
    return answer;
  };
}
