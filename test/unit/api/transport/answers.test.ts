import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseJson } from '../../../../src/api/transport/answers.ts';
import { nesting } from '../../../../src/base/json.ts';

const said = (text: string) => nesting(Buffer.from(text));

describe('the brackets of an answer', () => {
  it('are closed in any JSON, and open in what is cut off inside of it', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.nat(), (value, at) => {
        const text = JSON.stringify({ value });
        assert.equal(said(text), 'closed');
        assert.equal(said(text.slice(0, 1 + (at % (text.length - 1)))), 'open');
      }),
    );
  });

  it('inside a text count for nothing, escaped quotes and backslashes or not', () => {
    for (const text of ['"[["', '"\\"[["', '["\\\\", "{"]', '{"a]": "}"}']) assert.equal(said(text), 'closed', text);
    for (const text of ['"[[', '"\\"', '["\\\\"', '["]"']) assert.equal(said(text), 'open', text);
    for (const text of ['', '1', ']', '[]]']) assert.equal(said(text), 'closed', text);
  });

  it('are too deep above 32 levels, closed or not', () => {
    for (const [open, close] of ['[]', '{}'] as const) {
      assert.equal(said(`${open?.repeat(32)}${close?.repeat(32)}`), 'closed');
      assert.equal(said(`${open?.repeat(33)}${close?.repeat(33)}`), 'deep');
      assert.equal(said(`${open?.repeat(33)}`), 'deep');
    }
    assert.equal(said(`[${'[],'.repeat(100)}[]]`), 'closed', 'one after the other is not deep');
  });

  it('and commas are too many above 200,000, in texts of a few kilobytes when packed', () => {
    for (const value of ['0', '[]', '{}', '[[]]', '{"":0}']) {
      const list = (length: number) => `[${`${value},`.repeat(length)}${value}]`;
      const each = value.split(/[[{]/).length;
      assert.equal(said(list(Math.floor(199_000 / each))), 'closed', value);
      assert.equal(said(list(Math.ceil(201_000 / each))), 'many', value);
    }
    assert.equal(said(`"${'[],'.repeat(200_000)}"`), 'closed', 'those of a text count for nothing');
  });

  it('hold at most 2,000 keys in one object, however many there are in all', () => {
    const object = (length: number) => `{${Array.from({ length }, (_, index) => `"k${index}":[0,{}]`).join(',')}}`;
    assert.equal(said(object(2000)), 'closed');
    assert.equal(said(object(2001)), 'many');
    assert.equal(said(`[${object(2000)},${object(2000)},${'0,'.repeat(3000)}0]`), 'closed', 'each counts by itself');
    assert.equal(said(`{"":{"":[0,0],"k":${object(2001)}}}`), 'many', 'inside of others');
  });
});

describe('the JSON of an answer', () => {
  const parse = (text: string) => {
    // Part of a larger buffer, as bodies may be.
    const around = Buffer.from(`xx${text}yy`);
    const part = around.subarray(2, around.length - 2);
    return parseJson({ body: part, isJson: true, serverTime: null, requestId: 'r1' });
  };

  it('is read from the bytes of the body alone', () => {
    assert.deepEqual(parse('{"a":"ä"}'), { a: 'ä' });
  });

  it('that is none is told with the number of the request, and not repeated', () => {
    const many = `["secret"${',0'.repeat(200_000)}]`;
    for (const text of ['{"secret"', `${'['.repeat(33)}"secret"${']'.repeat(33)}`, many]) {
      assert.throws(
        () => parse(text),
        (error: Error & { problem?: { kind?: string; requestId?: string } }) => {
          assert.deepEqual([error.problem?.kind, error.problem?.requestId], ['unexpected-shape', 'r1']);
          assert.doesNotMatch(error.message, /secret/);
          return true;
        },
      );
    }
  });
});
