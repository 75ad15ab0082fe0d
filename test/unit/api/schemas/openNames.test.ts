import assert from 'node:assert/strict';
import { readFrameworks, readHealth, readUsage } from '../../../../src/api/schemas/meta.ts';
import { readSchemaDictionary } from '../../../../src/api/schemas/schemaDictionary.ts';

// The interface leaves these names open: each of them is one that a service may well use.

describe('a framework', () => {
  it('is found under any likely name of its list', () => {
    for (const name of ['frameworks', 'framework', 'codes', 'filters', 'data', 'items', 'results']) {
      assert.deepEqual(readFrameworks({ [name]: ['gri'], count: 1 }).frameworks, [{ code: 'gri', name: null }], name);
    }
  });

  it('has its code and its name under any likely name', () => {
    for (const name of ['code', 'framework_code', 'framework', 'key', 'id', 'value', 'slug']) {
      assert.deepEqual(readFrameworks([{ [name]: 'gri' }]).frameworks, [{ code: 'gri', name: null }], name);
    }
    for (const name of ['name', 'display_name', 'framework_name', 'label', 'title', 'description']) {
      const { frameworks } = readFrameworks([{ code: 'gri', [name]: 'GRI Standards' }]);
      assert.deepEqual(frameworks, [{ code: 'gri', name: 'GRI Standards' }], name);
    }
  });

  it('without a code is left out, and of two with one code the first counts', () => {
    const { frameworks } = readFrameworks(['', {}, { name: 'GRI' }, null, 5, 'gri', { code: 'gri', name: 'Again' }]);
    assert.deepEqual(frameworks, [{ code: 'gri', name: null }]);
    const codes = readFrameworks({ gri: true, tcfd: null, sasb: false, esrs: 7 }).frameworks.map(({ code }) => code);
    assert.deepEqual(codes, ['gri', 'tcfd']);
  });
});

describe('a field of the dictionary', () => {
  const only = (raw: unknown) => readSchemaDictionary([raw]).fields[0];

  it('has its facts under any likely name', () => {
    for (const name of ['column', 'column_name', 'name', 'field', 'key', 'id'])
      assert.equal(only({ [name]: 'isin' })?.column, 'isin', name);
    for (const name of ['api_field', 'apiField', 'api_name', 'api', 'x-api-field', 'source', 'field'])
      assert.equal(only({ column: 'isin', [name]: 'company_isin' })?.apiField, 'company_isin', name);
    for (const name of ['type', 'data_type', 'datatype', 'dtype', 'format'])
      assert.equal(only({ column: 'isin', [name]: 'string' })?.type, 'string', name);
    for (const name of ['group', 'group_name', 'section', 'category'])
      assert.equal(only({ column: 'isin', [name]: 'Company' })?.group, 'Company', name);
    for (const name of ['meaning', 'description', 'definition', 'doc', 'label'])
      assert.equal(only({ column: 'isin', [name]: 'The ISIN.' })?.meaning, 'The ISIN.', name);
    for (const name of ['values', 'enum', 'allowed_values', 'allowed', 'options'])
      assert.deepEqual(only({ column: 'level', [name]: ['a', { code: 'b' }, 3] })?.values, ['a', 'b', '3'], name);
  });

  it('has its values also as the names of a map', () => {
    assert.deepEqual(only({ column: 'level', values: { limited: 'Limited', none: 'None' } })?.values, [
      'limited',
      'none',
    ]);
    assert.equal(only({ column: 'level', values: 'limited' })?.values, null);
  });

  it('comes with a version under any likely name and place', () => {
    for (const name of ['version', 'schema_version', 'schemaVersion', 'dictionary_version']) {
      assert.equal(readSchemaDictionary({ [name]: 'V3', fields: [] }).version, 'V3', name);
      assert.deepEqual(readSchemaDictionary({ [name]: 'V3', isin: 'The ISIN.' }).fields.length, 1, name);
    }
    for (const place of ['schema', 'data', 'dictionary', 'meta'])
      assert.equal(readSchemaDictionary({ [place]: { version: 'V3' } }).version, 'V3', place);
  });

  it('is in a group of any likely name', () => {
    for (const list of ['groups', 'sections', 'categories']) {
      for (const title of ['name', 'title', 'label', 'group', 'id']) {
        const { fields } = readSchemaDictionary({ [list]: [{ [title]: 'Company', fields: [{ column: 'isin' }] }] });
        assert.deepEqual(
          fields.map(({ column, group }) => [column, group]),
          [['isin', 'Company']],
          `${list} ${title}`,
        );
      }
    }
  });
});

describe('an amount of this month', () => {
  it('is found under any likely name', () => {
    for (const name of ['count', 'used', 'total'])
      assert.equal(readUsage({ requests: { [name]: 12 } }).requests, 12, name);
  });
});

describe('the state of a service', () => {
  it('is found under any likely name', () => {
    for (const name of ['status', 'state', 'health']) {
      assert.deepEqual(
        [readHealth({ [name]: 'down' }).ok, readHealth({ [name]: 'down' }).status],
        [false, 'down'],
        name,
      );
    }
    for (const name of ['ok', 'healthy', 'alive']) assert.equal(readHealth({ [name]: false }).ok, false, name);
    assert.equal(readHealth(' down ').ok, false);
  });
});
