/** Bodies that plugins are measured on: made once, the same in each run. */

/** An order of about so many bytes as JSON. */
export function orderOf(bytes: number): object {
  const line = (index: number): object => ({
    sku: `sku-${index}`,
    name: `thing number ${index} of the order`,
    price: { amount: 10 + index, currency: 'EUR' },
    tags: ['new', 'blue'],
  });
  const order = {
    id: 'order-1',
    customer: { name: 'Kim', email: 'kim@example.com', password: 'secret', address: { city: 'Berlin', zip: '10115' } },
    lines: [] as object[],
  };
  while (JSON.stringify(order).length < bytes) order.lines.push(line(order.lines.length));
  return order;
}

/** A chat completion whose answer has about so many bytes of text. */
export function completionOf(bytes: number): object {
  const sentence = 'The quick brown fox jumps over the lazy dog, and nobody minds at all. ';
  const content = sentence.repeat(Math.ceil(bytes / sentence.length)).slice(0, bytes);
  return {
    id: 'chat-1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 10, completion_tokens: 2000, total_tokens: 2010 },
  };
}

/** JSON as bytes. */
export function jsonBytes(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}
